#include "base/error.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/wire/db.h"
#include "store/sqlite/wire/migrate.h"

#include <filesystem>
#include <system_error>

namespace belfry::store {

Result<std::vector<std::string>> pending_sqlite(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    std::vector<std::string> all;
    for (const auto& migration : sqlite::kMigrations) all.emplace_back(migration.name);
    return all;
  }
  BELFRY_TRY(db, sqlite::Db::open(path));
  return sqlite::pending_migrations(*db);
}

Status backup_sqlite(const std::string& path, const std::string& to) {
  if (!std::filesystem::exists(path)) {
    return fail({.code = Errc::kNotFound,
                 .message = "there is no file `" + path + "`",
                 .hint = "name the store with --store sqlite:PATH"});
  }
  if (std::filesystem::exists(to)) {
    return fail({.code = Errc::kConflict,
                 .message = "`" + to + "` exists already and is not overwritten",
                 .hint = "name another file"});
  }
  // Whole or not there: a backup that was cut short must not look complete.
  const std::string partial = to + ".partial";
  std::error_code error;
  std::filesystem::remove(partial, error);
  BELFRY_TRY(db, sqlite::Db::open(path));
  auto copied = db->copy_to(partial);
  if (copied) {
    std::filesystem::permissions(
        partial, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, error);
    std::filesystem::rename(partial, to, error);
    if (error) copied = fail(Errc::kUnavailable, "`" + to + "`: " + error.message());
  }
  if (!copied) std::filesystem::remove(partial, error);
  return copied;
}

Status replace_sqlite(const std::string& path, const std::string& from) {
  const std::string kept = path + ".replaced";
  if (std::filesystem::exists(kept)) {
    return fail({.code = Errc::kConflict,
                 .message = "`" + kept + "`, the store of before, is still there",
                 .hint = "remove it, or move it away"});
  }
  // The log first: it must never stand beside a store that it does not belong to.
  std::error_code error;
  for (const std::string_view part : {"-wal", "-shm", ""}) {
    const std::string name = path + std::string(part);
    if (!std::filesystem::exists(name)) continue;
    std::filesystem::rename(name, kept + std::string(part), error);
    if (error) return fail(Errc::kUnavailable, "`" + name + "`: " + error.message());
  }
  std::filesystem::rename(from, path, error);
  if (error) return fail(Errc::kUnavailable, "`" + path + "`: " + error.message());
  return {};
}

}  // namespace belfry::store
