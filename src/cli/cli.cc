#include "cli/cli.h"

#include "cli/all_verbs.h"
#include "cli/frame/exit_code.h"
#include "cli/frame/help.h"
#include "cli/frame/parse.h"

#include <ostream>

namespace belfry::cli {
namespace {

constexpr int kReadable = 100;  // columns, where nothing else limits them

void print_help(const Command& command, const Terminal& terminal) {
  const int width = terminal.screen.out_is_terminal ? terminal.screen.width : kReadable;
  terminal.out << help_for(command, width > 0 ? width : kReadable);
}

int run_words(const std::vector<std::string>& arguments, const Terminal& terminal,
              const Serve& serve, const Work& work, const Upkeep& upkeep) {
  Command root("belfry", "Belfry, a distributed cron: every tick is decided exactly once.");
  Globals globals;
  add_all_verbs(root, globals, {serve, work, upkeep});
  Session session(globals, terminal);
  const auto parsed = parse(root, arguments);
  if (!parsed) return complain(parsed.error(), session);
  if (parsed->wants_help || !parsed->command->verb()) {
    print_help(*parsed->command, terminal);
    return kOk;
  }
  try {
    const auto code = parsed->command->verb()(session);
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
