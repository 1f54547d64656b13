#include "cli/frame/verbs.h"
#include "config/configuration.h"

#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string_view>

namespace belfry::cli {
namespace {

struct UpkeepAsk {
  config::ConfigurationSources sources;
  std::string store;
  std::string file;
  bool dry_run = false;
  std::string missed;  // skip, latest or all
};

// The store that `serve` would use, from the same sources.
Answer<std::string> store_of(const UpkeepAsk& ask, const Session& session) {
  config::ConfigurationSources sources = ask.sources;
  if (!ask.store.empty()) sources.flags["store"] = ask.store;
  if (const auto& all = session.terminal().all_environment) sources.environment = all();
  const auto configuration = configure(sources);
  if (configuration) return configuration->options.store;
  return fail(Problem(Problem::Kind::kInvalid, to_string(configuration.error())));
}

Answer<int> migrate(const UpkeepAsk& ask, const Upkeep& upkeep, const Session& session) {
  BELFRY_TRY(store, store_of(ask, session));
  using Task = config::UpkeepOptions::Task;
  return upkeep({.task = ask.dry_run ? Task::kShowMigrations : Task::kMigrate, .store = store});
}

Answer<int> back_up(const UpkeepAsk& ask, const Upkeep& upkeep, const Session& session) {
  BELFRY_TRY(store, store_of(ask, session));
  return upkeep(
      {.task = config::UpkeepOptions::Task::kBackup, .store = store, .subject = ask.file});
}

constexpr std::string_view kMissedTicks =
    "What about the ticks since the backup was made? Some may have run before the restore.\n"
    "  skip    none of them runs\n"
    "  latest  of each job the newest runs\n"
    "  all     each runs, one after the other\n";

std::optional<core::MissedTicks> missed_of(std::string_view word) {
  if (word == "skip") return core::MissedTicks::kSkip;
  if (word == "latest") return core::MissedTicks::kLatest;
  if (word == "all") return core::MissedTicks::kAll;
  return {};
}

// Nobody but the person who restores can know, so there is no default.
Answer<core::MissedTicks> ask_missed(const UpkeepAsk& ask, const Session& session) {
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
                      "it is not said what becomes of the ticks since the backup", "",
                      "give --missed skip, latest or all"));
}

Answer<int> restore(const UpkeepAsk& ask, const Upkeep& upkeep, const Session& session) {
  BELFRY_TRY(store, store_of(ask, session));
  BELFRY_TRY(missed, ask_missed(ask, session));
  return upkeep({.task = config::UpkeepOptions::Task::kRestore,
                 .store = store,
                 .subject = ask.file,
                 .missed = missed});
}

void add_store(Command& command, UpkeepAsk& ask) {
  command.option("--store", ask.store, "sqlite:PATH or postgres://… (default: as `serve`)")
      .type("ADDRESS");
  command.option("--config", ask.sources.file, "the TOML file of `serve` (BELFRY_CONFIG)")
      .type("FILE")
      .proposes(Proposal::kFile);
}

void add_restore(const Program& program, const Upkeep& upkeep) {
  const auto ask = std::make_shared<UpkeepAsk>();
  Command& command = program.verb(
      "recover", "bring a store back from a backup, and say what becomes of the ticks since then",
      [ask, &upkeep](Session& session) { return restore(*ask, upkeep, session); });
  command.option("file", ask->file, "the backup; not with PostgreSQL, where pg_restore was before")
      .proposes(Proposal::kFile);
  add_store(command, *ask);
  command
      .option("--missed", ask->missed, "ticks since the backup: skip, latest (of each job) or all")
      .one_of({"skip", "latest", "all"})
      .type("WHICH");
  command.examples({"belfry recover belfry-2026-11-18.db --missed skip",
                    "belfry recover --store postgres://db/belfry --missed latest"});
}

}  // namespace

void add_upkeep_verbs(const Program& program, const Upkeep& upkeep) {
  const auto migration = std::make_shared<UpkeepAsk>();
  Command& migrating = program.verb(
      "migrate", "bring the store's tables up to date, as `serve` does at its start",
      [migration, &upkeep](Session& session) { return migrate(*migration, upkeep, session); });
  add_store(migrating, *migration);
  migrating.flag("--dry-run", migration->dry_run, "only list what is not applied yet");
  migrating.examples({"belfry migrate --dry-run", "belfry migrate --config belfry.toml"});
  const auto backup = std::make_shared<UpkeepAsk>();
  Command& backing = program.verb(
      "backup", "copy the embedded store to a file, also while a node uses it",
      [backup, &upkeep](Session& session) { return back_up(*backup, upkeep, session); });
  backing.option("file", backup->file, "the file to write; it must not exist yet").required();
  add_store(backing, *backup);
  backing.examples({"belfry backup belfry-2026-11-18.db"});
  add_restore(program, upkeep);
}

}  // namespace belfry::cli
