#include "net/server/server.h"

#include "base/condition.h"
#include "base/mutex.h"
#include "net/loop.h"
#include "net/server/connection.h"
#include "net/server/listener.h"
#include "net/server/response_text.h"
#include "net/server/server_core.h"
#include "net/transport.h"
#include "net/url.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace belfry::net {
namespace {

constexpr std::size_t kSurplusConnections = 64;  // beyond the limit, to be told 503
constexpr int kAcceptsAtOnce = 64;               // then the others have a turn
constexpr Duration kExhaustedPause = std::chrono::milliseconds(100);

}  // namespace

class HttpServer::Impl {
 public:
  Impl(ServerOptions options, Handler handler, std::shared_ptr<TlsContext> tls,
       ListeningSocket socket)
      : state_(std::make_shared<ServerState>(options.limits)),
        tls_files_(options.tls),
        tls_(std::move(tls)),
        port_(socket.port),
        core_(state_) {
    core_.handler = std::move(handler);
    core_.on_head = std::move(options.on_head);
    core_.render_error = options.render_error ? std::move(options.render_error) : &default_error;
    core_.on_empty = [this] { note_empty(); };
    listener_.emplace(state_->loop, socket.descriptor);
    state_->loop.post([this] { wait_for_clients(); });
    state_->loop.start();
  }

  ~Impl() { stop(Duration::zero()); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::uint16_t port() const { return port_; }
  ServerState& state() const { return *state_; }

  Status reload_tls();
  void stop(Duration grace);

 private:
  void wait_for_clients();
  void accept_clients();
  void welcome(AcceptedSocket socket);
  void begin_stopping();
  void close_all();
  void note_empty();
  void await_empty(Duration longest);

  const std::shared_ptr<ServerState> state_;
  const std::optional<TlsFiles> tls_files_;
  std::shared_ptr<TlsContext> tls_;  // loop thread only
  const std::uint16_t port_;

  // Loop thread only, while that runs.
  ServerCore core_;
  std::optional<Watch> listener_;

  Mutex mutex_;
  Condition changed_;
  bool stop_begun_ BELFRY_GUARDED_BY(mutex_) = false;
  bool is_empty_ BELFRY_GUARDED_BY(mutex_) = false;
};

void HttpServer::Impl::wait_for_clients() {
  if (listener_) listener_->when_readable([this] { accept_clients(); });
}

void HttpServer::Impl::accept_clients() {
  for (int i = 0; i < kAcceptsAtOnce && listener_; ++i) {
    AcceptTrouble trouble{};
    auto socket = accept_one(listener_->descriptor(), trouble);
    if (socket) {
      welcome(std::move(*socket));
    } else if (trouble == AcceptTrouble::kExhausted) {
      return state_->loop.post_after(kExhaustedPause, [this] { wait_for_clients(); });
    } else if (trouble == AcceptTrouble::kNobody) {
      break;
    }
  }
  wait_for_clients();
}

void HttpServer::Impl::welcome(AcceptedSocket socket) {
  const bool is_surplus = !core_.places.take(socket.network);
  if (is_surplus) state_->refused.fetch_add(1);
  auto transport = tls_ ? tls_->accept(socket.descriptor) : make_plain_transport(socket.descriptor);
  auto connection =
      std::make_shared<Connection>(core_, socket.descriptor, std::move(transport),
                                   Connection::Peer{.address = std::move(socket.address),
                                                    .user = socket.user,
                                                    .network = std::move(socket.network),
                                                    .secure = tls_ != nullptr,
                                                    .surplus = is_surplus});
  core_.connections.insert(connection);
  state_->connections.fetch_add(1);
  if (core_.connections.size() - core_.places.used() > kSurplusConnections)
    return connection->close();
  connection->start();
}

void HttpServer::Impl::begin_stopping() {
  listener_.reset();
  core_.stopping = true;
  const std::vector<std::shared_ptr<Connection>> all(core_.connections.begin(),
                                                     core_.connections.end());
  for (const auto& connection : all) connection->begin_stopping();
  if (core_.connections.empty()) note_empty();
}

void HttpServer::Impl::close_all() {
  while (!core_.connections.empty()) {
    const auto connection = *core_.connections.begin();
    connection->close();
  }
  note_empty();
}

void HttpServer::Impl::note_empty() {
  if (!core_.stopping) return;
  {
    const MutexLock lock(mutex_);
    is_empty_ = true;
  }
  changed_.notify_all();
}

void HttpServer::Impl::await_empty(Duration longest) {
  const RealClock clock;
  const BootInstant deadline = clock.boot_now() + longest;
  const MutexLock lock(mutex_);
  while (!is_empty_ && clock.boot_now() < deadline) {
    changed_.wait_for(mutex_, deadline - clock.boot_now());
  }
}

Status HttpServer::Impl::reload_tls() {
  if (!tls_files_) return {};
  BELFRY_TRY(tls, TlsContext::for_server(*tls_files_));
  state_->loop.post([this, tls] { tls_ = tls; });
  return {};
}

void HttpServer::Impl::stop(Duration grace) {
  {
    const MutexLock lock(mutex_);
    if (std::exchange(stop_begun_, true)) return;
  }
  state_->loop.post([this] { begin_stopping(); });
  await_empty(grace);
  state_->loop.post([this] {
    close_all();
    state_->loop.quit();
  });
  state_->loop.finish();
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(ServerOptions options, Handler handler) {
  BELFRY_TRY(address, HostPort::parse(options.listen));
  std::shared_ptr<TlsContext> tls;
  if (options.tls) {
    BELFRY_TRY(made, TlsContext::for_server(*options.tls));
    tls = std::move(made);
  }
  BELFRY_TRY(socket, open_listener(address));
  try {  // Asio and std::thread throw when the system has no more of what they need
    auto impl =
        std::make_unique<Impl>(std::move(options), std::move(handler), std::move(tls), socket);
    return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
  } catch (const std::exception& error) {
    return fail(Errc::kUnavailable, fmt::format("the server cannot start: {}", error.what()));
  }
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const {
  return impl_->port();
}

ServerStats HttpServer::stats() const {
  ServerState& state = impl_->state();
  return {.connections = state.connections,
          .parked = state.parked(),
          .requests = state.requests,
          .refused = state.refused,
          .dropped_streams = state.dropped_streams};
}

void HttpServer::post(std::function<void()> work) {
  impl_->state().loop.post(std::move(work));
}

void HttpServer::post_after(Duration delay, std::function<void()> work) {
  impl_->state().loop.post_after(delay, std::move(work));
}

Status HttpServer::reload_tls() {
  return impl_->reload_tls();
}

void HttpServer::stop(Duration grace) {
  impl_->stop(grace);
}

}  // namespace belfry::net
