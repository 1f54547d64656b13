#include "cli/frame/verbs.h"
#include "config/configuration.h"

#include <memory>

namespace belfry::cli {
namespace {

struct UpkeepAsk {
  config::ConfigurationSources sources;
  std::string store;
  std::string file;
  bool dry_run = false;
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

void add_store(Command& command, UpkeepAsk& ask) {
  command.option("--store", ask.store, "sqlite:PATH or postgres://… (default: as `serve`)")
      .type("ADDRESS");
  command.option("--config", ask.sources.file, "the TOML file of `serve` (BELFRY_CONFIG)")
      .type("FILE")
      .proposes(Proposal::kFile);
}

}  // namespace

void add_upkeep_verbs(const Program& program, const Upkeep& upkeep) {
  const auto migration = std::make_shared<UpkeepAsk>();
  Command& migrating = program.verb(
      "migrate", "bring the store's tables up to date, as `serve` does at its start",
      [migration, &upkeep](Session& session) { return migrate(*migration, upkeep, session); });
  add_store(migrating, *migration);
  migrating.flag("--dry-run", migration->dry_run, "only list what is not applied yet");
  const auto backup = std::make_shared<UpkeepAsk>();
  Command& backing = program.verb(
      "backup", "copy the embedded store to a file, also while a node uses it",
      [backup, &upkeep](Session& session) { return back_up(*backup, upkeep, session); });
  backing.option("file", backup->file, "the file to write; it must not exist yet").required();
  add_store(backing, *backup);
}

}  // namespace belfry::cli
