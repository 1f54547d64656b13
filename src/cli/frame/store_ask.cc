#include "cli/frame/store_ask.h"

#include <istream>
#include <optional>
#include <ostream>
#include <string_view>

namespace belfry::cli {
namespace {

constexpr std::string_view kMissedTicks =
    "What about the ticks since then? Some may have run elsewhere.\n"
    "  skip    none of them runs\n"
    "  latest  of each job the newest runs\n"
    "  all     each runs, one after the other\n";

std::optional<core::MissedTicks> missed_of(std::string_view word) {
  if (word == "skip") return core::MissedTicks::kSkip;
  if (word == "latest") return core::MissedTicks::kLatest;
  if (word == "all") return core::MissedTicks::kAll;
  return {};
}

}  // namespace

void add_store(Command& command, StoreAsk& ask) {
  command.option("--store", ask.store, "sqlite:PATH or postgres://… (default: as `serve`)")
      .type("ADDRESS");
  command.option("--config", ask.sources.file, "the TOML file of `serve` (BELFRY_CONFIG)")
      .type("FILE")
      .proposes(Proposal::kFile);
}

void add_missed(Command& command, StoreAsk& ask) {
  command.option("--missed", ask.missed, "ticks since then: skip, latest (of each job) or all")
      .one_of({"skip", "latest", "all"})
      .type("WHICH");
}

Answer<config::UpkeepOptions> task_on(const StoreAsk& ask, config::UpkeepOptions::Task task,
                                      const Session& session) {
  config::ConfigurationSources sources = ask.sources;
  if (!ask.store.empty()) sources.flags["store"] = ask.store;
  if (const auto& all = session.terminal().all_environment) sources.environment = all();
  const auto configuration = configure(sources);
  if (!configuration) {
    return fail(Problem(Problem::Kind::kInvalid, to_string(configuration.error())));
  }
  const config::ServeOptions& options = configuration->options;
  return config::UpkeepOptions{.task = task,
                               .store = options.store,
                               .secrets_key_file = options.secrets_key_file,
                               .secrets_key = options.secrets_key};
}

Answer<core::MissedTicks> missed_ticks(const StoreAsk& ask, const Session& session) {
  if (const auto given = missed_of(ask.missed)) return *given;
  const Terminal& terminal = session.terminal();
  const bool is_there = terminal.screen.in_is_terminal && terminal.screen.err_is_terminal;
  if (is_there && !session.globals().no_input) {
    terminal.err << kMissedTicks << "skip, latest or all? " << std::flush;
    std::string word;
    std::getline(terminal.in, word);
    if (const auto said = missed_of(word)) return *said;
  }
  return fail(Problem(Problem::Kind::kInvalid,
                      "it is not said what becomes of the ticks since then", "",
                      "give --missed skip, latest or all"));
}

}  // namespace belfry::cli
