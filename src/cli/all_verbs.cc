#include "cli/all_verbs.h"

#include "cli/archive/history_verb.h"
#include "cli/browser/open_verb.h"
#include "cli/frame/help.h"
#include "cli/frame/parse.h"
#include "cli/frame/verbs.h"
#include "cli/proof/proof_verb.h"
#include "cli/proof/verify_verb.h"
#include "cli/rehearse/rehearse_verb.h"
#include "config/version.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

void add_globals(Command& root, Globals& globals) {
  root.option("--server", globals.server,
              "the server's address, or several with commas (BELFRY_SERVER; default: that of the "
              "context in use, or http://127.0.0.1:7070)")
      .type("URL");
  root.option("--context", globals.context, "the server of this name (BELFRY_CONTEXT)")
      .type("NAME")
      .proposes(Proposal::kContext);
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
  root.option("-o,--output", globals.output, "table (default), wide, json, jsonl, yaml or name")
      .one_of({"table", "wide", "json", "jsonl", "yaml", "name"})
      .type("FORMAT");
  root.flag("-q,--quiet", globals.quiet, "print data only");
  root.flag("-v,--verbose", globals.verbose, "show the request's id with errors");
  root.flag("--no-color", globals.no_color, "no colours (also NO_COLOR, TERM=dumb)");
  root.flag("-y,--yes", globals.yes, "do not ask for confirmation");
  root.flag("--no-input", globals.no_input, "never ask");
  root.flag("--version", globals.version, "print the version of this program");
}

// Prints the help of the command that the words name; main prints that of `--help`.
void add_help_verb(const Program& program) {
  const auto names = std::make_shared<std::vector<std::string>>();
  const Command& root = program.root();
  Command& command = program.verb("help", "what a command does, its flags and examples",
                                  [names, &root](Session& session) -> Answer<int> {
                                    BELFRY_TRY(found, find_command(root, *names));
                                    session.out() << help_for(*found, session.help_width());
                                    return int{kOk};
                                  });
  command.option("command", *names, "its name (default: all of them)").proposes(Proposal::kCommand);
  command.examples({"belfry help add", "belfry help runs list"});
}

void add_version_verb(const Program& program) {
  program
      .verb("version", "the version of this program",
            [](Session& session) -> Answer<int> {
              const std::string line = config::version_line();
              if (session.is_table()) {
                session.out() << line << '\n';
              } else {
                session.print({{"version", line.substr(line.find(' ') + 1)}});
              }
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
  add_config_verbs(program);
  add_add_verb(program);
  add_job_verbs(program);
  add_state_verbs(program);
  add_bulk_verbs(program);
  add_trigger_verb(program);
  add_run_verbs(program);
  add_revision_verbs(program);
  add_schedule_verbs(program);
  add_tail_verb(program);
  add_top_verb(program);
  add_file_verbs(program, hands.upkeep);
  add_rehearse_verb(program);
  add_import_verb(program, hands.upkeep);
  add_cluster_verbs(program);
  add_worker_list_verb(program);
  add_admin_verbs(program, hands.upkeep);
  add_alert_verbs(program);
  add_calendar_verbs(program);
  add_type_verbs(program);
  add_checkin_verbs(program);
  add_wrap_verb(program);
  add_secret_verbs(program);
  add_audit_verbs(program);
  add_verify_verb(program);
  add_proof_verb(program);
  add_context_verbs(program);
  add_doctor_verb(program);
  add_open_verb(program);
  add_api_verb(program);
  add_completion_verb(program);
  add_upkeep_verbs(program, hands.upkeep);
  add_history_verb(program);
  add_worker_verb(program, hands.work);
  add_cron_verbs(program);
  add_help_verb(program);
  add_version_verb(program);
}

}  // namespace belfry::cli
