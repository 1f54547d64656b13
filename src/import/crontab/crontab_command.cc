#include "import/crontab/crontab_command.h"

#include "import/text.h"

#include <utility>

namespace belfry::importer {
namespace {

bool is_nonblocking(std::string_view option) {
  return option == "-n" || option == "-xn" || option == "-nx" || option == "-en" ||
         option == "--nb" || option == "--nonblock" || option == "--nonblocking";
}

// One command, perhaps with redirections, not a sequence of them.
bool is_single_command(std::string_view text) {
  return text.find_first_of(";|") == std::string_view::npos &&
         text.find("&&") == std::string_view::npos && !trimmed(text).ends_with('&');
}

// `'commands' >file`: what a shell given the quoted part with -c would run, as one line; nullopt
// when the quoting is not that simple.
std::optional<std::string> unwrapped(std::string_view text) {
  if (text.size() < 2 || (text.front() != '\'' && text.front() != '"')) return std::nullopt;
  const std::size_t close = text.find(text.front(), 1);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string inside(text.substr(1, close - 1));
  const std::string tail(trimmed(text.substr(close + 1)));
  if (text.front() == '"' && inside.find_first_of("\\$`") != std::string::npos) return std::nullopt;
  if (tail.empty()) return inside;
  if (!is_single_command(tail)) return std::nullopt;
  return "{ " + inside + "; } " + tail;
}

}  // namespace

CronCommand split_percent(std::string_view line) {
  CronCommand command;
  std::string* part = &command.text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '%') {
      *part += line[++i];
    } else if (line[i] != '%') {
      *part += line[i];
    } else if (!command.input) {
      command.input = "";
      part = &*command.input;
    } else {
      *part += '\n';
    }
  }
  // cron adds a line end to the input's last line.
  if (command.input && !command.input->empty() && command.input->back() != '\n') {
    *command.input += '\n';
  }
  command.text = std::string(trimmed(command.text));
  return command;
}

bool take_off_flock(std::string& command, Findings& findings) {
  std::string_view rest = command;
  const std::string_view program = take_word(rest);
  if (program != "flock" && !program.ends_with("/flock")) return false;
  bool nonblocking = false;
  while (rest.starts_with('-')) {
    const std::string_view option = take_word(rest);
    if (is_nonblocking(option)) {
      nonblocking = true;
    } else if (option != "-x" && option != "-e" && option != "--exclusive") {
      return false;
    }
  }
  const std::string file(take_word(rest));
  if (!nonblocking || file.empty() || rest.empty()) return false;
  std::string inner(rest);
  std::string_view quoted_part = rest;
  if (const std::string_view option = take_word(quoted_part);
      option == "-c" || option == "--command") {
    auto text = unwrapped(quoted_part);
    if (!text) return false;
    inner = std::move(*text);
  } else if (!is_single_command(rest)) {
    return false;  // `flock -n f a && b` runs b without the lock
  }
  findings.change("`flock -n` on " + in_backticks(file) +
                  " became `concurrency_policy` FORBID: a tick during a run is skipped, but others "
                  "that take this lock are no longer kept out");
  command = std::move(inner);
  return true;
}

Words words_for(const CronCommand& command, std::string_view shell) {
  const std::string interpreter(shell.empty() ? "/bin/sh" : shell);
  if (!command.input || command.input->empty()) return {interpreter, "-c", command.text};
  return {"/bin/sh",   "-c",         R"(printf %s "$2" | "$0" -c "$1")",
          interpreter, command.text, *command.input};
}

}  // namespace belfry::importer
