#include "cli/frame/store_ask.h"
#include "cli/frame/verbs.h"

#include <memory>

namespace belfry::cli {
namespace {

using Task = config::UpkeepOptions::Task;

struct UpkeepAsk : StoreAsk {
  std::string file;
  bool dry_run = false;
};

Answer<int> migrate(const UpkeepAsk& ask, const Upkeep& upkeep, const Session& session) {
  BELFRY_TRY(task, task_on(ask, ask.dry_run ? Task::kShowMigrations : Task::kMigrate, session));
  return upkeep(task);
}

Answer<int> work_on_file(Task what, const UpkeepAsk& ask, const Upkeep& upkeep,
                         const Session& session) {
  BELFRY_TRY(task, task_on(ask, what, session));
  task.subject = ask.file;
  if (what != Task::kBackup) {
    BELFRY_TRY(missed, missed_ticks(ask, session));
    task.missed = missed;
  }
  return upkeep(task);
}

void add_restore(const Program& program, const Upkeep& upkeep) {
  const auto ask = std::make_shared<UpkeepAsk>();
  Command& command = program.verb(
      "recover", "bring a store back from a backup, and say what becomes of the ticks since then",
      [ask, &upkeep](Session& session) {
        return work_on_file(Task::kRestore, *ask, upkeep, session);
      });
  command.option("file", ask->file, "the backup; not with PostgreSQL, where pg_restore was before")
      .proposes(Proposal::kFile);
  add_store(command, *ask);
  add_missed(command, *ask);
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
  Command& backing =
      program.verb("backup", "copy the embedded store to a file, also while a node uses it",
                   [backup, &upkeep](Session& session) {
                     return work_on_file(Task::kBackup, *backup, upkeep, session);
                   });
  backing.option("file", backup->file, "the file to write; it must not exist yet").required();
  add_store(backing, *backup);
  backing.examples({"belfry backup belfry-2026-11-18.db"});
  add_restore(program, upkeep);
}

void add_whole_import(Command& import, const Upkeep& upkeep) {
  const auto ask = std::make_shared<UpkeepAsk>();
  Command& command =
      Program::verb(import, "all", "what `belfry export --all` wrote, straight into a store",
                    [ask, &upkeep](Session& session) {
                      return work_on_file(Task::kImport, *ask, upkeep, session);
                    });
  command.option("file", ask->file, "the export").required().proposes(Proposal::kFile);
  add_store(command, *ask);
  add_missed(command, *ask);
  command.examples({"belfry import all belfry.jsonl --store postgres://db/belfry --missed skip"});
}

}  // namespace belfry::cli
