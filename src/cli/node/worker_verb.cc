#include "base/text/duration_text.h"
#include "cli/frame/verbs.h"
#include "config/work_options.h"

#include <memory>

namespace belfry::cli {
namespace {

struct Flags {
  config::WorkOptions options;
  std::vector<std::string> exec_types;  // TYPE=COMMAND
  std::string lease;
  std::string grace;
  std::string kill_after;
  bool shell = false;
};

Problem bad(const std::string& what, const std::string& fix) {
  return {Problem::Kind::kInvalid, what, "", fix};
}

// Splits words as a shell does, with quotes and backslashes, but expands nothing.
Answer<std::vector<std::string>> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;  // within a word
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t')) {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
      continue;
    }
    open = true;
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      word += c;
    }
  }
  if (quote != 0) return fail(bad("`" + text + "` has a quote that does not end", ""));
  if (open) words.push_back(word);
  return words;
}

Answer<void> read_duration(const std::string& text, const std::string& flag, Duration& to) {
  if (text.empty()) return {};
  const auto parsed = parse_duration(text);
  if (!parsed) return fail(bad(flag + ": " + to_string(parsed.error()), ""));
  to = *parsed;
  return {};
}

Answer<void> add_exec_type(const std::string& text, bool shell, config::WorkOptions& options) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
    return fail(
        bad("`" + text + "` is not TYPE=COMMAND", "write --exec-type 'report=/opt/report'"));
  }
  const std::string command = text.substr(equals + 1);
  std::vector<std::string> words{"/bin/sh", "-c", command};
  if (!shell) {
    BELFRY_TRY(split, split_words(command));
    words = std::move(split);
  }
  if (words.empty()) return fail(bad("`" + text + "` has no command", ""));
  options.exec_types.emplace_back(text.substr(0, equals), std::move(words));
  return {};
}

Answer<int> run_worker(const Flags& flags, const Work& work, const Session& session) {
  config::WorkOptions options = flags.options;
  BELFRY_TRY(server, session.client_options());
  options.server = std::move(server);
  BELFRY_CHECK(read_duration(flags.lease, "--lease", options.lease));
  BELFRY_CHECK(read_duration(flags.grace, "--grace", options.grace));
  BELFRY_CHECK(read_duration(flags.kill_after, "--kill-after", options.kill_after));
  if (options.lease < std::chrono::seconds(1) || options.lease > std::chrono::hours(1)) {
    return fail(bad("--lease must be between 1s and 1h", ""));
  }
  for (const std::string& text : flags.exec_types) {
    BELFRY_CHECK(add_exec_type(text, flags.shell, options));
  }
  if (options.types.empty() && options.exec_types.empty()) options.types = {"default"};
  return work(options);
}

// The settings that a node has as well.
void add_exec_options(Command& command, config::ExecSettings& exec) {
  command
      .option("--exec-user", exec.exec_user,
              "run commands as this user (default: nobody if we are root, otherwise ourselves)")
      .type("USER");
  command
      .option("--exec-env", exec.exec_env,
              "variables that commands get, beside PATH, LANG, LC_* and TZ")
      .type("NAME,...");
  command
      .option("--exec-memory-max", exec.exec_memory_max,
              "memory that one command may use, like 512M")
      .type("SIZE");
  command
      .option("--exec-processes-max", exec.exec_processes_max,
              "processes that one command may have at once")
      .type("N");
}

}  // namespace

void add_worker_verb(const Program& program, const Work& work) {
  const auto flags = std::make_shared<Flags>();
  Command& command =
      program.verb("worker", "run commands: those of EXEC jobs, and what --exec-type says",
                   [flags, &work](Session& session) { return run_worker(*flags, work, session); });
  command
      .option("--type", flags->options.types,
              "run the commands of EXEC jobs of this type (default: default)")
      .type("TYPE");
  command
      .option("--exec-type", flags->exec_types,
              "run this command for each run of that type; may be given several times")
      .type("TYPE=COMMAND");
  command.option("--grpc", flags->options.grpc, "use gRPC, with this node, instead of REST")
      .type("HOST:PORT");
  command.flag("--unary", flags->options.unary, "with --grpc: single calls, no stream");
  command.flag("--shell", flags->shell, "let /bin/sh read the commands of --exec-type");
  command.option("--concurrency", flags->options.concurrency, "runs at once (default: 4)")
      .range(1, 1'000)
      .type("N");
  command.option("--name", flags->options.name, "shown with its runs (default: host and process)")
      .type("NAME");
  command
      .option("--region", flags->options.region,
              "take runs that may run in this region (default: the region of the node it asks)")
      .type("NAME");
  command
      .option("--lease", flags->lease,
              "how long after we vanish a run is taken over (default: 30s)")
      .type("DURATION");
  command.option("--grace", flags->grace, "how long runs may go on after a stop (default: 30s)")
      .type("DURATION");
  command
      .option("--kill-after", flags->kill_after,
              "how long a stopped command gets between TERM and KILL (default: 10s)")
      .type("DURATION");
  add_exec_options(command, flags->options.exec);
  command.examples({"belfry worker", "belfry worker --type reports --concurrency 8",
                    "belfry worker --exec-type 'thumbnail=/opt/thumbnail --small'"});
}

}  // namespace belfry::cli
