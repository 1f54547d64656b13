// What bare PostgreSQL does with a table of runs: prepared statements, batches, each batch a
// committed transaction. The raw limit that Belfry and its peers are held against.
//
// usage: raw_postgres KIND BATCH CONNECTIONS AMOUNT     (where to connect: the variables of libpq)
//   insert   rows a second, for AMOUNT seconds
//   drain    AMOUNT waiting rows are claimed (SKIP LOCKED) and moved to a history table
//   cycle    insert, claim and move to history, for AMOUNT seconds
// The answer is one line of JSON.
#include <libpq-fe.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using BenchClock = std::chrono::steady_clock;

constexpr const char* kTables = R"(
  drop table if exists queue, past;
  create table queue(
    id bigserial primary key, job_id bigint not null, scheduled_for timestamptz not null,
    claimed_by int, claimed_at timestamptz, unique (job_id, scheduled_for));
  create index queue_waiting on queue(scheduled_for) where claimed_by is null;
  create table past(
    id bigint, job_id bigint not null, scheduled_for timestamptz not null, state smallint,
    claimed_by int, claimed_at timestamptz, finished_at timestamptz);
  create index past_job on past(job_id, scheduled_for);)";

constexpr const char* kInsert = R"(
  insert into queue(job_id, scheduled_for)
  select job, to_timestamp(1700000000) from unnest($1::bigint[]) job on conflict do nothing)";

constexpr const char* kClaim = R"(
  update queue set claimed_by = $2::int, claimed_at = now()
  where id = any(array(
    select id from queue where claimed_by is null and scheduled_for <= now()
    order by scheduled_for limit $1::int for update skip locked))
  returning id, job_id, scheduled_for)";

constexpr const char* kMove = R"(
  with gone as (delete from queue where id = any($1::bigint[]) returning *)
  insert into past select id, job_id, scheduled_for, 3, claimed_by, claimed_at, now() from gone)";

class Connection {
 public:
  Connection() : raw_(PQconnectdb("")) {
    if (PQstatus(raw_) != CONNECTION_OK) die();
  }
  ~Connection() { PQfinish(raw_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void run(const std::string& statement) { PQclear(checked(PQexec(raw_, statement.c_str()))); }
  void prepare(const char* name, const char* statement) {
    PQclear(checked(PQprepare(raw_, name, statement, 0, nullptr)));
  }
  // Executes, and returns the first column as the text of an array, with the number of elements.
  std::pair<std::string, int> call(const char* name, const std::vector<std::string>& values) {
    std::vector<const char*> raw;
    for (const std::string& value : values) raw.push_back(value.c_str());
    PGresult* const result = checked(
        PQexecPrepared(raw_, name, static_cast<int>(raw.size()), raw.data(), nullptr, nullptr, 0));
    std::string ids = "{";
    const int rows = PQntuples(result);
    for (int i = 0; i < rows; ++i) {
      if (i > 0) ids += ',';
      ids += PQgetvalue(result, i, 0);
    }
    PQclear(result);
    return {ids + '}', rows};
  }

 private:
  PGresult* checked(PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) die();
    return result;
  }
  [[noreturn]] void die() {
    std::fprintf(stderr, "%s", PQerrorMessage(raw_));
    std::exit(1);
  }

  PGconn* raw_;
};

struct Order {
  std::string kind;
  int batch = 1;
  int connections = 1;
  long amount = 0;
};

std::string numbers(long first, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    text += std::to_string(first + i);
  }
  return text + '}';
}

// One connection's share; adds to `rows` what it got done.
void work(const Order& order, int number, BenchClock::time_point until, std::atomic<long>& rows) {
  Connection server;
  server.prepare("insert", kInsert);
  server.prepare("claim", kClaim);
  server.prepare("move", kMove);
  const std::string batch = std::to_string(order.batch);
  long next = 100'000'000L * (number + 1);  // job numbers of this connection
  while (order.kind == "drain" || BenchClock::now() < until) {
    int done = order.batch;
    if (order.kind != "drain") {
      server.call("insert", {numbers(next, order.batch)});
      next += order.batch;
    }
    if (order.kind != "insert") {
      const auto [ids, count] = server.call("claim", {batch, std::to_string(number)});
      if (count == 0 && order.kind == "drain") return;
      server.call("move", {ids});
      done = count;
    }
    rows += done;
  }
}

void measure(const Order& order) {
  Connection server;
  server.run("set client_min_messages = error");
  server.run(kTables);
  if (order.kind == "drain") {
    server.run(
        "insert into queue(job_id, scheduled_for)"
        " select n, to_timestamp(1700000000 + n / 1000) from generate_series(1, " +
        std::to_string(order.amount) + ") n");
  }
  server.run("vacuum analyze queue");
  server.run("checkpoint");
  std::atomic<long> rows = 0;
  const auto begin = BenchClock::now();
  const auto until = begin + std::chrono::seconds(order.kind == "drain" ? 0 : order.amount);
  std::vector<std::thread> threads;
  for (int i = 0; i < order.connections; ++i) {
    threads.emplace_back([&, i] { work(order, i, until, rows); });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(BenchClock::now() - begin).count();
  std::printf(R"({"done":%ld,"seconds":%.4f,"rate":%.1f})"
              "\n",
              rows.load(), seconds, static_cast<double>(rows) / seconds);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 5 ? argv[1] : "";
  if (kind != "insert" && kind != "drain" && kind != "cycle") {
    std::fprintf(stderr, "usage: %s insert|drain|cycle BATCH CONNECTIONS AMOUNT\n", argv[0]);
    return 2;
  }
  measure({kind, std::atoi(argv[2]), std::atoi(argv[3]), std::atol(argv[4])});
  return 0;
}
