#include "store/sqlite/wire/migrate.h"

#include "store/sqlite/sql.h"
#include "store/sqlite/wire/transaction.h"

namespace belfry::store::sqlite {

namespace {

Status check_known(int newest) {
  if (newest <= kMigrations.back().number) return {};
  return fail({.code = Errc::kInvalid,
               .message = "the database has schema " + std::to_string(newest) +
                          ", newer than this program's " +
                          std::to_string(kMigrations.back().number),
               .hint = "run the newer belfry, or restore a backup from before the upgrade"});
}

// Applies the next migration; false when none is left. The number is read under the write lock: two
// processes that start at once must not apply the same migration.
Result<bool> apply_next(Db& db, Instant now) {
  BELFRY_TRY(transaction, Transaction::begin(db, Transaction::Kind::kWrite));
  BELFRY_CHECK(db.run(kMakeMigrationTable));
  BELFRY_TRY(newest, db.value<int>(kNewestMigration));
  BELFRY_CHECK(check_known(newest));
  for (const Migration& migration : kMigrations) {
    if (migration.number <= newest) continue;
    BELFRY_CHECK(db.execute_script(migration.sql));
    BELFRY_CHECK(db.run(kRecordMigration, migration.number, migration.name, now));
    BELFRY_CHECK(transaction.commit());
    return true;
  }
  BELFRY_CHECK(transaction.commit());
  return false;
}

}  // namespace

Status migrate(Db& db, Instant now) {
  for (;;) {
    BELFRY_TRY(more, apply_next(db, now));
    if (!more) return {};
  }
}

Result<std::vector<std::string>> pending_migrations(Db& db) {
  BELFRY_TRY(made, db.value<bool>(kHasMigrations));
  int newest = 0;
  if (made) {
    BELFRY_TRY(found, db.value<int>(kNewestMigration));
    newest = found;
  }
  BELFRY_CHECK(check_known(newest));
  std::vector<std::string> names;
  for (const Migration& migration : kMigrations) {
    if (migration.number > newest) names.emplace_back(migration.name);
  }
  return names;
}

}  // namespace belfry::store::sqlite
