#include "store/sqlite/wire/db.h"

#include "store/common/full_disk.h"
#include "store/sqlite/sql.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace belfry::store::sqlite {

namespace {

// One process owns the file, so only a backup or a curious person ever makes us wait.
constexpr int kBusyTimeoutMillis = 5'000;

Errc code_of_constraint(int extended) {
  switch (extended) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID: return Errc::kConflict;
    case SQLITE_CONSTRAINT_FOREIGNKEY: return Errc::kNotFound;
    case SQLITE_CONSTRAINT_CHECK: return Errc::kInvalid;
    default: return Errc::kInternal;
  }
}

Errc code_of(int extended) {
  switch (extended & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_NOMEM: return Errc::kUnavailable;
    case SQLITE_CONSTRAINT: return code_of_constraint(extended);
    default: return Errc::kInternal;
  }
}

// SQLite's memory statistics, which nobody reads, take a lock around each allocation. The switch
// works only before the first connection of the process, and it is fine if it fails.
void turn_off_statistics() {
  static const int kCode = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(kCode);
}

// Jobs' payloads are in there, so the files are for their owner only, whatever the umask says. The
// files beside it take after the database's. None is opened that exists: closing it would end the
// locks that other connections of this process hold.
void make_private(const std::string& path) {
  if (path == ":memory:" || path.starts_with("file:")) return;
  constexpr ::mode_t kOwner = S_IRUSR | S_IWUSR;
  const int made = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwner);
  if (made >= 0) ::close(made);
  for (const char* beside : {"", "-wal", "-shm"}) {
    const std::string file = path + beside;
    struct stat status{};
    const bool is_open =
        ::stat(file.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0;
    if (is_open) (void)::chmod(file.c_str(), kOwner);  // if it is not ours, its owner decides
  }
}

std::string describe(sqlite3* connection, int code) {
  return "SQLite: " + std::string(sqlite3_errmsg(connection)) + " (" + std::to_string(code) + ")";
}

}  // namespace

Result<std::unique_ptr<Db>> Db::open(const std::string& path) {
  turn_off_statistics();
  make_private(path);
  sqlite3* raw = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI |
                    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  Connection connection(raw);
  if (code != SQLITE_OK) {
    return fail({.code = code_of(code), .message = describe(raw, code), .field = path});
  }
  sqlite3_busy_timeout(raw, kBusyTimeoutMillis);
  std::unique_ptr<Db> db(new Db(std::move(connection)));
  BELFRY_CHECK(db->execute_script(kSetUpSession));
  return db;
}

Status Db::execute_script(std::string_view sql) {
  const int code =
      sqlite3_exec(connection_.get(), std::string(sql).c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(error(code, "a script"));
  return {};
}

Status Db::copy_to(const std::string& path) {
  make_private(path);
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(
      path.c_str(), &raw,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nullptr);
  const Connection copy(raw);
  if (opened != SQLITE_OK) {
    return fail({.code = code_of(opened), .message = describe(raw, opened), .field = path});
  }
  sqlite3_backup* backup = sqlite3_backup_init(raw, "main", connection_.get(), "main");
  if (backup == nullptr) return fail(Errc::kUnavailable, describe(raw, sqlite3_errcode(raw)));
  // In one step: between several, a writer could make it start again, without end.
  sqlite3_backup_step(backup, -1);
  const int code = sqlite3_backup_finish(backup);
  if (code != SQLITE_OK) return fail(code_of(code), describe(raw, code));
  return {};
}

Result<sqlite3_stmt*> Db::prepare(std::string_view sql) {
  const auto known = statements_.find(sql.data());
  if (known != statements_.end()) return known->second.get();
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return fail(error(code, sql));
  statements_.emplace(sql.data(), statement);
  return statement;
}

Error Db::error(int code, std::string_view sql) const {
  const std::string_view first_line = sql.substr(0, sql.find('\n'));
  return {.code = code_of(code),
          .message = describe(connection_.get(), code) + " in `" + std::string(first_line) + "`",
          .field = (code & 0xff) == SQLITE_FULL ? std::string(kFullDisk) : ""};
}

}  // namespace belfry::store::sqlite
