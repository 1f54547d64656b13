// What bare SQLite does with a backlog of runs: rows are claimed, then moved to a history table, in
// batches that are two transactions each; one connection, WAL, as durable as Belfry's own store.
//
// usage: raw_sqlite ROWS BATCH FILE      (FILE is made, and left behind)
// The answer is one line of JSON.
#include <sqlite3.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using BenchClock = std::chrono::steady_clock;

constexpr const char* kTables = R"(
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma cache_size = -65536;
  create table queue(
    id integer primary key, job_id integer not null, scheduled_for integer not null,
    claimed_by integer, claimed_at integer, unique (job_id, scheduled_for));
  create index queue_waiting on queue(scheduled_for) where claimed_by is null;
  create table past(
    id integer, job_id integer not null, scheduled_for integer not null, state integer,
    claimed_by integer, claimed_at integer, finished_at integer);
  create index past_job on past(job_id, scheduled_for);)";

constexpr const char* kFill = R"(
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
  insert into queue(job_id, scheduled_for) select i, 1700000000 + i / 1000 from n)";

constexpr const char* kClaim = R"(
  update queue set claimed_by = 1, claimed_at = 1800000000
  where id in (select id from queue where claimed_by is null order by scheduled_for limit ?1)
  returning id)";

constexpr const char* kKeep = R"(
  insert into past select id, job_id, scheduled_for, 3, claimed_by, claimed_at, 1800000000
  from queue where id = ?1)";

constexpr const char* kRemove = "delete from queue where id = ?1";

class Database {
 public:
  explicit Database(const char* file) { check(sqlite3_open(file, &raw_)); }
  ~Database() { sqlite3_close_v2(raw_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* statements) {
    check(sqlite3_exec(raw_, statements, nullptr, nullptr, nullptr));
  }
  sqlite3_stmt* prepare(const char* statement) {
    sqlite3_stmt* prepared = nullptr;
    check(sqlite3_prepare_v2(raw_, statement, -1, &prepared, nullptr));
    return prepared;
  }
  // Executes with one number; returns the first column of all rows.
  std::vector<sqlite3_int64> call(sqlite3_stmt* statement, sqlite3_int64 value) {
    std::vector<sqlite3_int64> found;
    sqlite3_bind_int64(statement, 1, value);
    int status = sqlite3_step(statement);
    for (; status == SQLITE_ROW; status = sqlite3_step(statement)) {
      found.push_back(sqlite3_column_int64(statement, 0));
    }
    if (status != SQLITE_DONE) check(status);
    sqlite3_reset(statement);
    return found;
  }

 private:
  void check(int status) {
    if (status == SQLITE_OK) return;
    std::fprintf(stderr, "%s\n", sqlite3_errmsg(raw_));
    std::exit(1);
  }

  sqlite3* raw_ = nullptr;
};

void measure(long rows, long batch, const char* file) {
  Database database(file);
  database.run(kTables);
  sqlite3_stmt* const fill = database.prepare(kFill);
  database.call(fill, rows);
  sqlite3_stmt* const claim = database.prepare(kClaim);
  sqlite3_stmt* const keep = database.prepare(kKeep);
  sqlite3_stmt* const remove = database.prepare(kRemove);
  long done = 0;
  const auto begin = BenchClock::now();
  while (true) {
    database.run("begin immediate");
    const std::vector<sqlite3_int64> ids = database.call(claim, batch);
    database.run("commit");
    if (ids.empty()) break;
    database.run("begin immediate");
    for (const sqlite3_int64 id : ids) {
      database.call(keep, id);
      database.call(remove, id);
    }
    database.run("commit");
    done += static_cast<long>(ids.size());
  }
  const double seconds = std::chrono::duration<double>(BenchClock::now() - begin).count();
  std::printf(R"({"done":%ld,"seconds":%.4f,"rate":%.1f})"
              "\n",
              done, seconds, static_cast<double>(done) / seconds);
  for (sqlite3_stmt* statement : {fill, claim, keep, remove}) sqlite3_finalize(statement);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s ROWS BATCH FILE\n", argv[0]);
    return 2;
  }
  measure(std::atol(argv[1]), std::atol(argv[2]), argv[3]);
  return 0;
}
