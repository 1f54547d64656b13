#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "store/postgres/wire/bind.h"
#include "store/postgres/wire/hosts.h"
#include "store/postgres/wire/reply.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct pg_conn;

namespace belfry::store::postgres {

// What it means when the answer to a statement does not come.
enum class Effect : std::uint8_t {
  kNone,     // a query, or a step of a transaction that is not committed yet: nothing has changed
  kCommits,  // a write on its own, or a commit: it may have taken effect
};

struct Statement {
  std::string_view sql;  // a constant of the program
  Params params;
};

// One session with the server. Every call has a deadline; a call that misses it closes the session,
// for nobody knows what would come through it next. Not thread-safe.
class Connection {
 public:
  struct Options {
    std::string url;
    Duration statement_timeout{};  // set on the server, if the session is ours alone
    bool prepare = true;           // keep plans on the server; not behind a transaction pooler
    // Run by every new session, so that its plan is ready when it is needed; must change nothing.
    std::optional<Statement> rehearsal{};
    // The servers of `url`; connections that share them learn from each other which one lets them
    // in. Null: of its own.
    std::shared_ptr<Hosts> hosts{};
  };

  // Does not connect yet. The clock must outlive the connection.
  Connection(Options options, const Clock& clock);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Connects, unless the session is still open. kUnavailable when it cannot.
  Status open(BootInstant deadline);
  void close();

  // True when it is open and not in the middle of a transaction.
  bool is_idle() const;

  // One statement. Error codes come from errors.h; when the session breaks off, kUnavailable or
  // kUnknownOutcome, depending on `effect`.
  Result<Reply> run(std::string_view sql, const Params& params, Effect effect,
                    BootInstant deadline);

  // Several statements for the price of one round trip. They are one transaction, committed when
  // all have succeeded. One answer for each.
  Result<std::vector<Reply>> run_together(std::span<const Statement> statements,
                                          BootInstant deadline);

  // COPY ... FROM STDIN, inside a transaction. The rows come in pieces until there is none: the
  // server works on one while the next is made.
  using Pieces = std::function<std::optional<std::string>()>;
  Status copy(std::string_view sql, const Pieces& next_piece, BootInstant deadline);

  // Several statements without arguments; the answer to the last.
  Result<Reply> run_script(std::string_view sql, Effect effect, BootInstant deadline);

  // What other sessions have notified this one of since it listens. Does not wait.
  Result<std::vector<std::string>> take_notices();
  // Readable when there may be notices; -1 when closed.
  int socket() const;

  // The number of the session by the server's greeting.
  int session_number() const;

  // Whether the last failure was a lost race inside the database, so that the same call, repeated,
  // may succeed.
  bool was_contention() const { return was_contention_; }

 private:
  Status connect(BootInstant deadline);
  Status connect_to(const Hosts::Host& host, BootInstant deadline);
  Status set_up(BootInstant deadline);
  Status prepare(std::string_view sql, const Params::Wire& wire, BootInstant deadline);
  Status send(std::string_view sql, const Params::Wire& wire, Effect effect);
  Result<Reply> receive(Effect effect, BootInstant deadline);
  Result<std::vector<Reply>> receive_all(std::size_t count, BootInstant deadline);
  Status wait_for_result(Effect effect, BootInstant deadline);
  Status wait(short events, Effect effect, BootInstant deadline);
  Error lost(Effect effect, std::string_view why);  // closes
  Error refused(const pg_result* result, Effect effect);

  struct Finish {
    void operator()(pg_conn* connection) const;
  };

  const Options options_;
  const std::shared_ptr<Hosts> hosts_;
  const Clock& clock_;
  std::unique_ptr<pg_conn, Finish> connection_;
  std::size_t host_ = 0;  // of hosts_: where it leads
  // Statements the server has a plan for, by their text; the texts are constants of the program.
  std::unordered_map<std::string_view, std::string> prepared_;
  bool was_contention_ = false;
};

}  // namespace belfry::store::postgres
