#include "cli/all_verbs.h"

#include "cli/frame/verbs.h"
#include "config/version.h"

#include <ostream>

namespace belfry::cli {
namespace {

void add_globals(Command& root, Globals& globals) {
  root.option("--server", globals.server,
              "the server's address (BELFRY_SERVER; default: http://127.0.0.1:7070)")
      .type("URL");
  root.option("--token-file", globals.token_file,
              "a file with the API key (or BELFRY_TOKEN, BELFRY_TOKEN_FILE)")
      .type("FILE")
      .proposes(Proposal::kFile);
  root.option("--tenant", globals.tenant, "the tenant to act for; admins only (BELFRY_TENANT)")
      .type("NAME")
      .proposes(Proposal::kTenant);
  root.option("--ca-file", globals.ca_file, "certificate authorities to trust for https")
      .type("FILE")
      .proposes(Proposal::kFile);
  root.option("--tls-cert", globals.tls_cert,
              "our certificate, for servers that ask for one (BELFRY_CLIENT_CERT)")
      .type("FILE")
      .proposes(Proposal::kFile);
  root.option("--tls-key", globals.tls_key, "the key of that certificate (BELFRY_CLIENT_KEY)")
      .type("FILE")
      .proposes(Proposal::kFile);
  root.option("-o,--output", globals.output, "table (default), json or yaml")
      .one_of({"table", "json", "yaml"})
      .type("FORMAT");
  root.flag("-q,--quiet", globals.quiet, "print data only");
  root.flag("-v,--verbose", globals.verbose, "show the request's id with errors");
  root.flag("--no-color", globals.no_color, "no colours (also NO_COLOR, TERM=dumb)");
  root.flag("-y,--yes", globals.yes, "do not ask for confirmation");
  root.flag("--no-input", globals.no_input, "never ask");
}

void add_version_verb(const Program& program) {
  program
      .verb("version", "the version of this program",
            [](Session& session) -> Answer<int> {
              session.out() << config::version_line() << '\n';
              return int{kOk};
            })
      .examples({"belfry version"});
}

}  // namespace

void add_all_verbs(Command& root, Globals& globals, const Hands& hands) {
  root.examples({"belfry add hello --every 10s --exec 'echo hello'",
                 "belfry ls -l env=prod -o json", "belfry explain hello --at 14:07:10",
                 "belfry cron explain '30 2 * * *' --tz America/New_York"});
  add_globals(root, globals);
  const Program program(root);
  add_serve_verb(program, hands.serve);
  add_add_verb(program);
  add_job_verbs(program);
  add_state_verbs(program);
  add_bulk_verbs(program);
  add_trigger_verb(program);
  add_run_verbs(program);
  add_revision_verbs(program);
  add_schedule_verbs(program);
  add_tail_verb(program);
  add_file_verbs(program);
  add_import_verb(program);
  add_cluster_verbs(program);
  add_admin_verbs(program, hands.upkeep);
  add_alert_verbs(program);
  add_calendar_verbs(program);
  add_checkin_verbs(program);
  add_wrap_verb(program);
  add_secret_verbs(program);
  add_audit_verbs(program);
  add_doctor_verb(program);
  add_api_verb(program);
  add_completion_verb(program);
  add_upkeep_verbs(program, hands.upkeep);
  add_worker_verb(program, hands.work);
  add_cron_verbs(program);
  add_version_verb(program);
}

}  // namespace belfry::cli
