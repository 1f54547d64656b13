#include "tests/sim/standby.h"

#include "store/sqlite/sqlite_store.h"

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>

namespace belfry::sim {
namespace {

// The simulation cannot go on without its database.
void must(bool worked, const char* what) {
  if (worked) return;
  std::fprintf(stderr, "sim: cannot %s\n", what);
  std::exit(2);
}

void execute(sqlite3* connection, const char* sql) {
  must(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr) == SQLITE_OK, sql);
}

// A database in memory needs a name to be shared by connections; worlds do not share theirs.
std::string fresh_uri() {
  static int count = 0;
  return "file:/sim-" + std::to_string(++count) + "?vfs=memdb";
}

}  // namespace

void Standby::Close::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

Standby::Connection Standby::open(const std::string& uri) {
  sqlite3* connection = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
  const int code = sqlite3_open_v2(uri.c_str(), &connection, flags, nullptr);
  Connection result(connection);
  must(code == SQLITE_OK, "open a database in memory");
  return result;
}

Standby::Standby(const std::string& uri) : live_(open(uri)), copy_(open(":memory:")) {}

void Standby::copy(sqlite3* from, sqlite3* to) {
  sqlite3_backup* backup = sqlite3_backup_init(to, "main", from, "main");
  must(backup != nullptr, "begin to copy a database");
  must(sqlite3_backup_step(backup, -1) == SQLITE_DONE, "copy a database");
  must(sqlite3_backup_finish(backup) == SQLITE_OK, "finish copying a database");
}

void Standby::catch_up() {
  copy(live_.get(), copy_.get());
}

void Standby::promote(Left out) {
  copy(copy_.get(), live_.get());
  if (!out.epochs) {
    execute(live_.get(), "update partitions set owner = null, epoch = ((epoch >> 40) + 1) << 40");
  }
  if (!out.fences) {
    execute(live_.get(),
            "update counters set value = ((value >> 40) + 1) << 40 where name = 'fences'");
  }
}

Database open_database(std::function<Instant()> now, DatabasePlan plan) {
  const std::string path = plan.with_standby ? fresh_uri() : ":memory:";
  auto store = store::open_sqlite({.path = path, .now = std::move(now), .settles = plan.settles});
  must(store.has_value(), "open the store");
  return {std::move(*store), plan.with_standby ? std::make_unique<Standby>(path) : nullptr};
}

}  // namespace belfry::sim
