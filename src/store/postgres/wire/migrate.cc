#include "store/postgres/wire/migrate.h"

#include "store/postgres/sql.h"

#include <fmt/format.h>

namespace belfry::store::postgres {
namespace {

// Longer than any call: a migration of a big table takes its time, and others wait for it.
constexpr Duration kLongest = std::chrono::minutes(10);

Status check_known(std::int64_t newest) {
  if (newest <= kMigrations.back().number) return {};
  return fail({.code = Errc::kInvalid,
               .message = fmt::format("the database has schema {}, this program knows only {}",
                                      newest, kMigrations.back().number),
               .hint = "start a newer version of Belfry, or use another database"});
}

Status migrate_one(Transaction& transaction, const Migration& migration) {
  BELFRY_TRY(locked, transaction.run(kLockMigrations));
  BELFRY_TRY(made, transaction.run_script(kMakeMigrationTable));
  BELFRY_TRY(reply, transaction.run(kNewestMigration));
  const std::int64_t newest = reply.row(0).number();
  BELFRY_CHECK(check_known(newest));
  if (newest >= migration.number) return {};
  BELFRY_TRY(applied, transaction.run_script(migration.sql));
  BELFRY_TRY(recorded, transaction.run(kRecordMigration,
                                       Params().integer(migration.number).text(migration.name)));
  return {};
}

}  // namespace

Status migrate(Database& database) {
  for (const Migration& migration : kMigrations) {
    const auto apply = [&migration](Transaction& transaction) {
      return migrate_one(transaction, migration);
    };
    BELFRY_CHECK(database.transaction(apply, kLongest));
  }
  return {};
}

Result<std::vector<std::string>> pending_migrations(Database& database) {
  BELFRY_TRY(made, database.read(kHasMigrations));
  std::int64_t newest = 0;
  if (made.row(0).boolean()) {
    BELFRY_TRY(reply, database.read(kNewestMigration));
    newest = reply.row(0).number();
  }
  BELFRY_CHECK(check_known(newest));
  std::vector<std::string> names;
  for (const Migration& migration : kMigrations) {
    if (migration.number > newest) names.emplace_back(migration.name);
  }
  return names;
}

Status seed(Database& database, std::optional<Instant> now) {
  return database.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(region, transaction.run(kSeedRegion, Params().instant(now)));
    BELFRY_TRY(tenant, transaction.run(kSeedTenant, Params().instant(now)));
    return {};
  });
}

}  // namespace belfry::store::postgres
