#include "cli/cli.h"

#include "cli/frame/exit_code.h"
#include "cli/frame/verbs.h"
#include "cli/proof/verify_verb.h"
#include "cli/verbs/cron_batch.h"
#include "cli/verbs/cron_commands.h"
#include "config/version.h"
#include "core/suggest.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <ostream>
#include <string_view>

namespace belfry::cli {
namespace {

constexpr const char* kCronExamples =
    "Examples:\n"
    "  belfry cron next '0 9 * * MON-FRI' --tz Europe/Berlin\n"
    "  belfry cron explain '30 2 * * *' --tz America/New_York\n"
    "  belfry cron next 'H H(0-5) * * *' --key acme/backup -n 3";

constexpr const char* kExamples =
    "Examples:\n"
    "  belfry add hello --every 10s --exec 'echo hello'\n"
    "  belfry ls -l env=prod -o json\n"
    "  belfry explain hello --at 14:07:10\n"
    "  belfry cron explain '30 2 * * *' --tz America/New_York";

// What the parsed words ask for; set by the subcommand that was named.
using Action = std::function<int()>;

void add_dialect(CLI::App& command, CronQuestion& question) {
  command
      .add_option_function<std::string>(
          "--dialect",
          [&](const std::string& name) {
            if (name != "standard" && name != "quartz") {
              throw CLI::ValidationError("--dialect", "must be `standard` or `quartz`");
            }
            question.dialect = name == "quartz" ? core::Dialect::kQuartz : core::Dialect::kStandard;
          },
          "standard (default) or quartz")
      ->type_name("DIALECT");
}

void add_question_options(CLI::App& command, CronQuestion& question) {
  command.add_option("--tz", question.timezone, "time zone, an IANA name (default: UTC)")
      ->type_name("ZONE");
  command.add_option("--from", question.from, "RFC 3339 instant to start from (default: now)")
      ->type_name("INSTANT");
  command.add_option("-n,--count", question.count, "how many fires, up to 100000 (default: 5)")
      ->check(CLI::Range(1, 100'000).description(""))
      ->type_name("N");
  add_dialect(command, question);
  command.add_option("--key", question.key, "what fixes the values of H: tenant/job_name")
      ->type_name("KEY");
}

void add_next(CLI::App& cron, CronQuestion& question, bool& batch, Action& action,
              const Session& session) {
  CLI::App* next = cron.add_subcommand("next", "the next fires, one RFC 3339 instant per line");
  next->add_option("expression", question.expression, "the cron expression, quoted");
  next->add_flag("--batch", batch, "answer lines EXPR<TAB>ZONE<TAB>START read from stdin");
  add_question_options(*next, question);
  next->callback([&] {
    if (batch) {
      action = [&] {
        next_batch(session.in(), session.out(), question.dialect);
        return int{kOk};
      };
    } else if (question.expression.empty()) {
      throw CLI::RequiredError("expression");
    } else {
      action = [&] { return cron_next(question, session); };
    }
  });
}

void add_explain(CLI::App& cron, CronQuestion& question, Action& action, const Session& session) {
  CLI::App* explain =
      cron.add_subcommand("explain", "an expression in words, its next fires, what to watch for");
  explain->add_option("expression", question.expression, "the cron expression, quoted")->required();
  add_question_options(*explain, question);
  explain->callback([&] { action = [&] { return cron_explain(question, session); }; });
}

void add_resolve(CLI::App& cron, CronQuestion& question, bool& batch, Action& action,
                 const Session& session) {
  CLI::App* resolve = cron.add_subcommand("resolve", "expressions with every H written out");
  resolve->add_flag("--batch", batch, "answer lines EXPR<TAB>KEY read from stdin")->required();
  add_dialect(*resolve, question);
  resolve->callback([&] {
    action = [&] {
      resolve_batch(session.in(), session.out(), question.dialect);
      return int{kOk};
    };
  });
}

void add_globals(CLI::App& app, Globals& globals) {
  app.add_option("--server", globals.server,
                 "the server's address (BELFRY_SERVER; default: http://127.0.0.1:7070)")
      ->type_name("URL");
  app.add_option("--token-file", globals.token_file,
                 "a file with the API key (or BELFRY_TOKEN, BELFRY_TOKEN_FILE)")
      ->type_name("FILE");
  app.add_option("--tenant", globals.tenant, "the tenant to act for; admins only (BELFRY_TENANT)")
      ->type_name("NAME");
  app.add_option("--ca-file", globals.ca_file, "certificate authorities to trust for https")
      ->type_name("FILE");
  app.add_option("--tls-cert", globals.tls_cert,
                 "our certificate, for servers that ask for one (BELFRY_CLIENT_CERT)")
      ->type_name("FILE");
  app.add_option("--tls-key", globals.tls_key, "the key of that certificate (BELFRY_CLIENT_KEY)")
      ->type_name("FILE");
  app.add_option("-o,--output", globals.output, "table (default), json or yaml")
      ->check(CLI::IsMember({"table", "json", "yaml"}).description(""))
      ->type_name("FORMAT");
  app.add_flag("-q,--quiet", globals.quiet, "print data only");
  app.add_flag("-v,--verbose", globals.verbose, "show the request's id with errors");
  app.add_flag("--no-color", globals.no_color, "no colours (also NO_COLOR, TERM=dumb)");
  app.add_flag("-y,--yes", globals.yes, "do not ask for confirmation");
  app.add_flag("--no-input", globals.no_input, "never ask");
}

void add_verbs(const Program& program, const Upkeep& upkeep) {
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
  add_admin_verbs(program, upkeep);
  add_alert_verbs(program);
  add_calendar_verbs(program);
  add_checkin_verbs(program);
  add_wrap_verb(program);
  add_secret_verbs(program);
  add_audit_verbs(program);
  add_verify_verb(program);
  add_doctor_verb(program);
  add_api_verb(program);
  add_completion_verb(program);
}

// For a word that is not a command but stands in its place: proposes the nearest command.
std::string unknown_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* at = &app;
  for (const std::string& word : arguments) {
    std::vector<std::string_view> names;
    const CLI::App* found = nullptr;
    for (const CLI::App* command : at->get_subcommands({})) {
      names.push_back(command->get_name());
      if (command->get_name() == word) found = command;
    }
    if (names.empty() || word.starts_with('-')) return {};
    if (found == nullptr) {
      const std::string near = core::closest(word, names);
      return "belfry: there is no command `" + word + "`; " +
             (near.empty() ? "`--help` lists them" : "did you mean `" + near + "`?");
    }
    at = found;
  }
  return {};
}

int run_words(std::vector<std::string> arguments, const Terminal& terminal, const Serve& serve,
              const Work& work, const Upkeep& upkeep) {
  CLI::App app("Belfry, a distributed cron: every tick is decided exactly once.", "belfry");
  app.require_subcommand(0, 1);
  app.fallthrough();  // flags of all commands may come after the command
  app.footer(kExamples);
  Globals globals;
  add_globals(app, globals);
  Action action;
  const Program program(app, globals, terminal, action);
  add_serve_verb(program, serve);
  add_verbs(program, upkeep);
  add_upkeep_verbs(program, upkeep);
  add_worker_verb(program, work);
  CronQuestion question;
  bool batch = false;
  const Session session(globals, terminal);
  CLI::App* cron = app.add_subcommand("cron", "questions about cron expressions; needs no server");
  cron->require_subcommand(1);
  cron->footer(kCronExamples);
  add_next(*cron, question, batch, action, session);
  add_explain(*cron, question, action, session);
  add_resolve(*cron, question, batch, action, session);
  CLI::App* version = app.add_subcommand("version", "the version of this program");
  version->callback([&] {
    action = [&] {
      terminal.out << config::version_line() << '\n';
      return int{kOk};
    };
  });
  if (const std::string complaint = unknown_command(app, arguments); !complaint.empty()) {
    terminal.err << complaint << '\n';
    return kUsage;
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return app.exit(error, terminal.out, terminal.err) == 0 ? kOk : kUsage;
  }
  try {
    if (action) return action();
  } catch (const Json::exception&) {  // an answer lacks what all our answers have
    terminal.err << "belfry: the answer is not from a Belfry server; is the address right?\n";
    return kUnreachable;
  }
  terminal.out << app.help();
  return kOk;
}

}  // namespace

int run(std::vector<std::string> arguments, const Terminal& terminal, const Serve& serve,
        const Work& work, const Upkeep& upkeep) {
  const int code = run_words(std::move(arguments), terminal, serve, work, upkeep);
  // Data that did not reach its file must not look as if it had.
  if (terminal.out.flush()) return code;
  terminal.err << "belfry: the output could not be written; is the disk full?\n";
  return code == kOk ? kDifferent : code;
}

}  // namespace belfry::cli
