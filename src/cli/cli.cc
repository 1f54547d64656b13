#include "cli/cli.h"

#include "cli/cron_batch.h"
#include "cli/cron_commands.h"
#include "cli/exit_code.h"
#include "cli/version.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <ostream>

namespace belfry::cli {
namespace {

const std::map<std::string, core::Dialect> kDialects{{"standard", core::Dialect::kStandard},
                                                     {"quartz", core::Dialect::kQuartz}};

constexpr const char* kCronExamples =
    "Examples:\n"
    "  belfry cron next '0 9 * * MON-FRI' --tz Europe/Berlin\n"
    "  belfry cron explain '30 2 * * *' --tz America/New_York\n"
    "  belfry cron next 'H H(0-5) * * *' --key acme/backup -n 3";

// What the parsed words ask for; set by the subcommand that was named.
using Action = std::function<int()>;

void add_question_options(CLI::App& command, CronQuestion& question) {
  command.add_option("--tz", question.timezone, "time zone, an IANA name")->capture_default_str();
  command.add_option("--from", question.from, "RFC 3339 instant to start from (default: now)");
  command.add_option("-n,--count", question.count, "how many fires")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command.add_option("--dialect", question.dialect, "standard or quartz")
      ->transform(CLI::CheckedTransformer(kDialects, CLI::ignore_case));
  command.add_option("--key", question.key, "tenant/job_name that fixes the values of H");
}

void add_next(CLI::App& cron, CronQuestion& question, bool& batch, Action& action,
              const Terminal& terminal) {
  CLI::App* next = cron.add_subcommand("next", "the next fires, one RFC 3339 instant a line");
  next->add_option("expression", question.expression, "the cron expression, quoted");
  next->add_flag("--batch", batch, "answer lines EXPR<TAB>ZONE<TAB>START read from stdin");
  add_question_options(*next, question);
  next->callback([&] {
    if (batch) {
      action = [&] {
        next_batch(terminal.in, terminal.out, question.dialect);
        return int{kOk};
      };
    } else if (question.expression.empty()) {
      throw CLI::RequiredError("expression");
    } else {
      action = [&] { return cron_next(question, terminal); };
    }
  });
}

void add_explain(CLI::App& cron, CronQuestion& question, Action& action, const Terminal& terminal) {
  CLI::App* explain =
      cron.add_subcommand("explain", "an expression in words, its next fires, what to watch for");
  explain->add_option("expression", question.expression, "the cron expression, quoted")->required();
  add_question_options(*explain, question);
  explain->callback([&] { action = [&] { return cron_explain(question, terminal); }; });
}

void add_resolve(CLI::App& cron, CronQuestion& question, bool& batch, Action& action,
                 const Terminal& terminal) {
  CLI::App* resolve = cron.add_subcommand("resolve", "expressions with every H written out");
  resolve->add_flag("--batch", batch, "answer lines EXPR<TAB>KEY read from stdin")->required();
  resolve->add_option("--dialect", question.dialect, "standard or quartz")
      ->transform(CLI::CheckedTransformer(kDialects, CLI::ignore_case));
  resolve->callback([&] {
    action = [&] {
      resolve_batch(terminal.in, terminal.out, question.dialect);
      return int{kOk};
    };
  });
}

}  // namespace

int run(std::vector<std::string> arguments, const Terminal& terminal) {
  CLI::App app("Belfry, a distributed cron: rings every job exactly once, on time.", "belfry");
  app.require_subcommand(0, 1);
  app.footer(kCronExamples);
  Action action;
  CronQuestion question;
  bool batch = false;
  CLI::App* cron = app.add_subcommand("cron", "questions about cron expressions; needs no server");
  cron->require_subcommand(1);
  cron->footer(kCronExamples);
  add_next(*cron, question, batch, action, terminal);
  add_explain(*cron, question, action, terminal);
  add_resolve(*cron, question, batch, action, terminal);
  CLI::App* version = app.add_subcommand("version", "the version of this program");
  version->callback([&] {
    action = [&] {
      terminal.out << version_line() << '\n';
      return int{kOk};
    };
  });
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return app.exit(error, terminal.out, terminal.err) == 0 ? kOk : kUsage;
  }
  if (action) return action();
  terminal.out << app.help();
  return kOk;
}

}  // namespace belfry::cli
