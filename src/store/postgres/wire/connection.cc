#include "store/postgres/wire/connection.h"

#include "store/common/full_disk.h"
#include "store/postgres/sql.h"
#include "store/postgres/wire/errors.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

namespace belfry::store::postgres {
namespace {

constexpr int kBinary = 1;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

std::string_view field_of(const pg_result* result, int field) {
  const char* text = PQresultErrorField(result, field);
  return text == nullptr ? std::string_view() : text;
}

// Milliseconds for poll(2), rounded up, so that a wait is never a busy one.
int poll_timeout(Duration left) {
  const auto millis = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<std::int64_t>(millis, 0, std::numeric_limits<int>::max()));
}

// 1: ready, 0: the deadline passed, -1: the socket is broken.
int poll_until(int socket, short events, const Clock& clock, BootInstant deadline) {
  pollfd poller{.fd = socket, .events = events, .revents = 0};
  for (;;) {
    const Duration left = deadline - clock.boot_now();
    if (left <= Duration(0)) return 0;
    const int ready = ::poll(&poller, 1, poll_timeout(left));
    if (ready > 0) return 1;
    if (ready < 0 && errno != EINTR) return -1;
  }
}

}  // namespace

void Connection::Finish::operator()(pg_conn* connection) const {
  PQfinish(connection);
}

Connection::Connection(Options options, const Clock& clock)
    : options_(std::move(options)),
      hosts_(options_.hosts ? options_.hosts : std::make_shared<Hosts>(options_.url)),
      clock_(clock) {}

Connection::~Connection() = default;

void Connection::close() {
  prepared_.clear();
  connection_.reset();
}

bool Connection::is_idle() const {
  return connection_ && PQtransactionStatus(connection_.get()) == PQTRANS_IDLE;
}

Error Connection::lost(Effect effect, std::string_view why) {
  const bool unknown = effect == Effect::kCommits;
  Error error{.code = unknown ? Errc::kUnknownOutcome : Errc::kUnavailable,
              .message = fmt::format("{}: {}",
                                     unknown ? "the database did not say whether it committed"
                                             : "the database cannot be reached",
                                     trimmed(without_address(why)))};
  close();
  return error;
}

// A FATAL error ends the session, and may come in between a commit and its confirmation.
Error Connection::refused(const pg_result* result, Effect effect) {
  const std::string_view state = field_of(result, PG_DIAG_SQLSTATE);
  const std::string_view severity = field_of(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (state.empty() || severity != "ERROR") return lost(effect, PQresultErrorMessage(result));
  const Verdict verdict = classify(state);
  was_contention_ = verdict.contention;
  Error error{.code = verdict.code,
              .message = fmt::format("the database says: {} ({})",
                                     field_of(result, PG_DIAG_MESSAGE_PRIMARY), state),
              .field = state == "53100" ? std::string(kFullDisk) : ""};
  if (verdict.pooler) {
    error.message += "; a pooler seems to share sessions: set store_prepare = off";
  }
  if (verdict.reconnect) close();
  return error;
}

Status Connection::open(BootInstant deadline) {
  if (connection_) {
    // What the server sends unasked is nearly always a goodbye: better to reconnect now than to
    // learn of it after a statement was sent.
    pollfd poller{.fd = PQsocket(connection_.get()), .events = POLLIN, .revents = 0};
    // Where others were let in by another server since, ours is no longer the primary, or is about
    // to be told so; a frozen one would cost a whole deadline to find out.
    const bool is_current = host_ == hosts_->first();
    if (is_current && ::poll(&poller, 1, 0) == 0 && is_idle()) return {};
    close();
  }
  return connect(deadline);
}

Status Connection::connect(BootInstant deadline) {
  const std::size_t first = hosts_->first();
  Status status;
  for (std::size_t i = 0; i < hosts_->size(); ++i) {
    const std::size_t host = (first + i) % hosts_->size();
    const BootInstant now = clock_.boot_now();
    const auto patience = hosts_->patience();
    status =
        connect_to(hosts_->at(host), patience ? std::min(deadline, now + *patience) : deadline);
    if (status) {
      hosts_->let_in(host);
      host_ = host;
      break;
    }
    if (clock_.boot_now() >= deadline) break;
  }
  BELFRY_CHECK(status);
  return set_up(deadline);
}

Status Connection::connect_to(const Hosts::Host& host, BootInstant deadline) {
  // What comes later counts: of the servers in the address only this one.
  const std::array<const char*, 7> keys{
      "dbname", "fallback_application_name", "client_encoding", "host", "hostaddr", "port",
      nullptr};
  const std::array<const char*, 7> values{
      options_.url.c_str(), "belfry",          "UTF8", host.name.c_str(),
      host.address.c_str(), host.port.c_str(), nullptr};
  connection_.reset(PQconnectStartParams(keys.data(), values.data(), 1));
  if (!connection_) return fail(Errc::kUnavailable, "out of memory");
  PQsetNoticeReceiver(connection_.get(), [](void*, const pg_result*) {}, nullptr);
  PostgresPollingStatusType next = PGRES_POLLING_WRITING;
  while (next != PGRES_POLLING_OK) {
    if (next == PGRES_POLLING_FAILED || PQstatus(connection_.get()) == CONNECTION_BAD) {
      return fail(lost(Effect::kNone, PQerrorMessage(connection_.get())));
    }
    const short events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    BELFRY_CHECK(wait(events, Effect::kNone, deadline));
    next = PQconnectPoll(connection_.get());
  }
  PQsetnonblocking(connection_.get(), 1);
  return {};
}

Status Connection::set_up(BootInstant deadline) {
  if (!options_.prepare) return {};
  const auto millis =
      std::chrono::ceil<std::chrono::milliseconds>(options_.statement_timeout).count();
  BELFRY_TRY(reply,
             run(kSetUpSession, Params().text(std::to_string(millis)), Effect::kNone, deadline));
  if (!options_.rehearsal) return {};
  BELFRY_TRY(rehearsed,
             run(options_.rehearsal->sql, options_.rehearsal->params, Effect::kNone, deadline));
  return {};
}

Status Connection::wait(short events, Effect effect, BootInstant deadline) {
  const int ready = poll_until(PQsocket(connection_.get()), events, clock_, deadline);
  if (ready > 0) return {};
  return fail(lost(effect, ready == 0 ? "no answer in time" : std::strerror(errno)));
}

Status Connection::prepare(std::string_view sql, const Params::Wire& wire, BootInstant deadline) {
  if (!options_.prepare || prepared_.contains(sql)) return {};
  const std::string name = fmt::format("b{}", prepared_.size());
  if (PQsendPrepare(connection_.get(), name.c_str(), std::string(sql).c_str(),
                    static_cast<int>(wire.types.size()), wire.types.data()) == 0) {
    return fail(lost(Effect::kNone, PQerrorMessage(connection_.get())));
  }
  BELFRY_TRY(reply, receive(Effect::kNone, deadline));
  prepared_.emplace(sql, name);
  return {};
}

Result<Reply> Connection::run(std::string_view sql, const Params& params, Effect effect,
                              BootInstant deadline) {
  was_contention_ = false;
  if (!connection_) return fail(Errc::kUnavailable, "the database connection is closed");
  const Params::Wire wire = params.wire();
  BELFRY_CHECK(prepare(sql, wire, deadline));
  BELFRY_CHECK(send(sql, wire, effect));
  return receive(effect, deadline);
}

Status Connection::send(std::string_view sql, const Params::Wire& wire, Effect effect) {
  const int count = static_cast<int>(wire.types.size());
  const int sent = options_.prepare
                       ? PQsendQueryPrepared(connection_.get(), prepared_.at(sql).c_str(), count,
                                             wire.values.data(), wire.lengths.data(),
                                             wire.formats.data(), kBinary)
                       : PQsendQueryParams(connection_.get(), std::string(sql).c_str(), count,
                                           wire.types.data(), wire.values.data(),
                                           wire.lengths.data(), wire.formats.data(), kBinary);
  if (sent == 0) return fail(lost(effect, PQerrorMessage(connection_.get())));
  return {};
}

// All statements up to one synchronization are one transaction to the server.
Result<std::vector<Reply>> Connection::run_together(std::span<const Statement> statements,
                                                    BootInstant deadline) {
  was_contention_ = false;
  if (!connection_) return fail(Errc::kUnavailable, "the database connection is closed");
  std::vector<Params::Wire> wires;
  for (const Statement& statement : statements) {
    wires.push_back(statement.params.wire());
    BELFRY_CHECK(prepare(statement.sql, wires.back(), deadline));
  }
  PQenterPipelineMode(connection_.get());
  for (std::size_t i = 0; i < statements.size(); ++i) {
    BELFRY_CHECK(send(statements[i].sql, wires[i], Effect::kNone));
  }
  if (PQpipelineSync(connection_.get()) == 0) {
    return fail(lost(Effect::kCommits, PQerrorMessage(connection_.get())));
  }
  auto replies = receive_all(statements.size(), deadline);
  if (connection_ && PQexitPipelineMode(connection_.get()) == 0) close();
  return replies;
}

// Reads up to the synchronization, even when a statement has failed.
Result<std::vector<Reply>> Connection::receive_all(std::size_t count, BootInstant deadline) {
  std::vector<Reply> replies;
  std::optional<Error> error;
  for (bool ended = false;;) {
    BELFRY_CHECK(wait_for_result(Effect::kCommits, deadline));
    pg_result* result = PQgetResult(connection_.get());
    // A null ends the answer to one statement; a second null ends all answers.
    if (result == nullptr && ended) break;
    ended = result == nullptr;
    if (ended) continue;
    Reply reply(result);
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_PIPELINE_SYNC) {
      if (error) return fail(*std::move(error));
      if (replies.size() == count) return replies;
      break;
    }
    if (status == PGRES_PIPELINE_ABORTED) continue;  // comes after the one that has failed
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
      replies.push_back(std::move(reply));
      continue;
    }
    if (!error) error = refused(result, Effect::kCommits);
    if (!connection_) return fail(*std::move(error));
  }
  return fail(lost(Effect::kCommits, PQerrorMessage(connection_.get())));
}

Result<Reply> Connection::run_script(std::string_view sql, Effect effect, BootInstant deadline) {
  was_contention_ = false;
  if (!connection_) return fail(Errc::kUnavailable, "the database connection is closed");
  if (PQsendQuery(connection_.get(), std::string(sql).c_str()) == 0) {
    return fail(lost(effect, PQerrorMessage(connection_.get())));
  }
  return receive(effect, deadline);
}

Status Connection::copy(std::string_view sql, const Pieces& next_piece, BootInstant deadline) {
  was_contention_ = false;
  if (!connection_) return fail(Errc::kUnavailable, "the database connection is closed");
  if (PQsendQuery(connection_.get(), std::string(sql).c_str()) == 0) {
    return fail(lost(Effect::kNone, PQerrorMessage(connection_.get())));
  }
  BELFRY_CHECK(wait_for_result(Effect::kNone, deadline));
  pg_result* result = PQgetResult(connection_.get());
  const Reply readiness(result);
  if (PQresultStatus(result) != PGRES_COPY_IN) {
    Error error = refused(result, Effect::kNone);
    if (connection_) static_cast<void>(receive(Effect::kNone, deadline));
    return fail(std::move(error));
  }
  bool sent = true;
  for (auto piece = next_piece(); sent && piece; piece = next_piece()) {
    sent = PQputCopyData(connection_.get(), piece->data(), static_cast<int>(piece->size())) == 1 &&
           PQflush(connection_.get()) >= 0;
  }
  if (!sent || PQputCopyEnd(connection_.get(), nullptr) != 1) {
    return fail(lost(Effect::kNone, PQerrorMessage(connection_.get())));
  }
  BELFRY_TRY(done, receive(Effect::kNone, deadline));
  return {};
}

int Connection::session_number() const {
  return connection_ ? PQbackendPID(connection_.get()) : 0;
}

int Connection::socket() const {
  return connection_ ? PQsocket(connection_.get()) : -1;
}

Result<std::vector<std::string>> Connection::take_notices() {
  if (!connection_) return fail(Errc::kUnavailable, "the database connection is closed");
  if (PQconsumeInput(connection_.get()) == 0) {
    return fail(lost(Effect::kNone, PQerrorMessage(connection_.get())));
  }
  std::vector<std::string> notices;
  while (PGnotify* notice = PQnotifies(connection_.get())) {
    // Our own notices reach us without the detour.
    if (notice->be_pid != PQbackendPID(connection_.get())) notices.emplace_back(notice->extra);
    PQfreemem(notice);
  }
  return notices;
}

Status Connection::wait_for_result(Effect effect, BootInstant deadline) {
  for (;;) {
    const int unsent = PQflush(connection_.get());
    if (unsent < 0) return fail(lost(effect, PQerrorMessage(connection_.get())));
    if (unsent == 0 && PQisBusy(connection_.get()) == 0) return {};
    const short events = unsent > 0 ? POLLIN | POLLOUT : POLLIN;
    BELFRY_CHECK(wait(events, effect, deadline));
    // While a long statement is being sent the socket may be ready for writing only; reading then
    // finds nothing, which is fine.
    if (PQconsumeInput(connection_.get()) == 0) {
      return fail(lost(effect, PQerrorMessage(connection_.get())));
    }
  }
}

// Until the server is ready for the next statement: a write on its own is committed only then,
// after its rows were sent.
Result<Reply> Connection::receive(Effect effect, BootInstant deadline) {
  Reply last;
  std::optional<Error> error;
  for (;;) {
    BELFRY_CHECK(wait_for_result(effect, deadline));
    pg_result* result = PQgetResult(connection_.get());
    if (result == nullptr) break;
    Reply reply(result);
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
      last = std::move(reply);
      continue;
    }
    if (!error) error = refused(result, effect);
    if (!connection_) return fail(*std::move(error));
  }
  if (error) return fail(*std::move(error));
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    return fail(lost(effect, PQerrorMessage(connection_.get())));
  }
  return last;
}

}  // namespace belfry::store::postgres
