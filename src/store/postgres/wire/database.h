#pragma once

#include "store/postgres/wire/pool.h"

#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace belfry::store::postgres {

// How often a call that lost a race is made, at most.
inline constexpr int kTries = 4;

// A transaction of several statements, open while it exists.
class Transaction {
 public:
  Transaction(Connection& connection, BootInstant deadline)
      : connection_(connection), deadline_(deadline) {}

  Result<Reply> run(std::string_view sql, const Params& params = {}) {
    return connection_.run(sql, params, Effect::kNone, deadline_);
  }
  // Rows as CopyRows makes them.
  Status copy(std::string_view sql, const Connection::Pieces& next_piece) {
    return connection_.copy(sql, next_piece, deadline_);
  }
  // Several statements without arguments.
  Result<Reply> run_script(std::string_view sql) {
    return connection_.run_script(sql, Effect::kNone, deadline_);
  }

 private:
  Connection& connection_;
  BootInstant deadline_;
};

// Statements and transactions over a pool, each with one deadline for all it does, lost races
// included: those are repeated a few times, then the answer is kUnavailable. Thread-safe.
class Database {
 public:
  Database(const Connection::Options& options, int connections, Duration call_deadline,
           const Clock& clock)
      : call_deadline_(call_deadline), clock_(clock), pool_(options, connections, clock) {}

  Result<Reply> read(std::string_view sql, const Params& params = {}) {
    return run(sql, params, Effect::kNone);
  }
  // A statement that is a transaction by itself.
  Result<Reply> write(std::string_view sql, const Params& params = {}) {
    return run(sql, params, Effect::kCommits);
  }
  // Statements that are one transaction together.
  Result<std::vector<Reply>> write_together(std::span<const Statement> statements);

  // Commits when the body succeeds, else rolls back. The body may be called again.
  using Body = std::function<Status(Transaction&)>;
  Status transaction(const Body& body) { return transaction(body, call_deadline_); }
  Status transaction(const Body& body, Duration longest);

 private:
  Result<Reply> run(std::string_view sql, const Params& params, Effect effect);
  template <typename Call>
  auto repeated(const Call& call) -> decltype(call(std::declval<Connection&>(), BootInstant()));

  struct Ending {
    Status status;
    bool contention = false;
  };
  Ending transaction_once(Connection& connection, const Body& body, BootInstant deadline);
  Status fill(Connection& connection, const Body& body, BootInstant deadline);

  const Duration call_deadline_;
  const Clock& clock_;
  Pool pool_;
};

}  // namespace belfry::store::postgres
