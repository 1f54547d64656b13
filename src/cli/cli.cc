#include "cli/cli.h"

#include "cli/all_verbs.h"
#include "cli/frame/exit_code.h"
#include "cli/frame/help.h"
#include "cli/frame/lookup.h"
#include "cli/frame/parse.h"
#include "config/version.h"

#include <ostream>

namespace belfry::cli {
namespace {

// Puts whole ids where the beginnings of some were typed.
Answer<void> complete_ids(const Parsed& parsed, Session& session) {
  for (auto [option, values] : parsed.jobs) {
    for (std::string& value : values) {
      if (!may_be_cut_job_id(value)) continue;
      BELFRY_TRY(client, session.client());
      BELFRY_TRY(whole, whole_job_id(value, *client));
      value = std::move(whole);
    }
    option->facts().take(values);
  }
  return {};
}

// A thing that is not there may be looked for where its kind is listed: `belfry keys`.
Problem with_list(Problem problem, const Command& command) {
  const Command* noun = command.parent();
  const bool lists = noun != nullptr && noun->default_command() != nullptr;
  if (problem.kind == Problem::Kind::kNotFound && problem.fix.empty() && lists) {
    problem.fix = "`" + noun->path() + "` lists them";
  }
  return problem;
}

Answer<int> execute(const Parsed& parsed, Session& session) {
  BELFRY_CHECK(complete_ids(parsed, session));
  auto code = parsed.command->verb()(session);
  if (!code) return fail(with_list(std::move(code.error()), *parsed.command));
  return code;
}

int run_words(const std::vector<std::string>& arguments, const Terminal& terminal,
              const Serve& serve, const Work& work, const Upkeep& upkeep) {
  Command root("belfry", "Belfry, a distributed cron: every tick is decided exactly once.");
  Globals globals;
  add_all_verbs(root, globals, {serve, work, upkeep});
  Session session(globals, terminal);
  const auto parsed = parse(root, arguments);
  if (!parsed) return complain(parsed.error(), session);
  const bool names_nothing = !parsed->command->verb();
  if (names_nothing && globals.version && !parsed->wants_help) {
    terminal.out << config::version_line() << '\n';
    return kOk;
  }
  if (names_nothing || parsed->wants_help) {
    terminal.out << help_for(*parsed->command, session.help_width());
    return kOk;
  }
  try {
    const auto code = execute(*parsed, session);
    return code ? *code : complain(code.error(), session);
  } catch (const Json::exception&) {  // an answer lacks what all our answers have
    terminal.err << "belfry: the answer is not from a Belfry server; is the address right?\n";
    return kUnreachable;
  }
}

}  // namespace

int run(std::vector<std::string> arguments, const Terminal& terminal, const Serve& serve,
        const Work& work, const Upkeep& upkeep) {
  const int code = run_words(arguments, terminal, serve, work, upkeep);
  // Data that did not reach its file must not look as if it had.
  if (terminal.out.flush()) return code;
  terminal.err << "belfry: the output could not be written; is the disk full?\n";
  return code == kOk ? kDifferent : code;
}

}  // namespace belfry::cli
