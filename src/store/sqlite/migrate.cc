#include "store/sqlite/migrate.h"

#include "store/sqlite/sql.h"
#include "store/sqlite/transaction.h"

namespace belfry::store::sqlite {

namespace {

// Whether there was anything left to do. The number is read under the write lock: two processes
// that start at once must not apply the same migration.
Result<bool> apply_next(Db& db, Instant now) {
  BELFRY_TRY(transaction, Transaction::begin(db, Transaction::Kind::kWrite));
  BELFRY_CHECK(db.run(kMakeSchemaMigrations));
  BELFRY_TRY(newest, db.value<int>(kNewestMigration));
  if (newest > kMigrations.back().number) {
    return fail({.code = Errc::kInvalid,
                 .message = "the database has schema " + std::to_string(newest) +
                            ", newer than this program's " +
                            std::to_string(kMigrations.back().number),
                 .hint = "run the newer belfry, or restore a backup from before the upgrade"});
  }
  for (const Migration& migration : kMigrations) {
    if (migration.number <= newest) continue;
    BELFRY_CHECK(db.execute_script(migration.sql));
    BELFRY_CHECK(db.run(kAddMigration, migration.number, migration.name, now));
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

}  // namespace belfry::store::sqlite
