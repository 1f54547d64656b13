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
#include <unistd.h>

#include <chrono>
#include <exception>
#include <list>
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
       ListeningSocket socket, std::optional<ListeningSocket> unix_socket)
      : state_(std::make_shared<ServerState>(options.limits)),
        tls_files_(options.tls),
        tls_(std::move(tls)),
        port_(socket.port),
        core_(state_) {
    core_.handler = std::move(handler);
    core_.on_head = std::move(options.on_head);
    core_.render_error = options.render_error ? std::move(options.render_error) : &default_error;
    core_.on_empty = [this] { note_empty(); };
    listeners_.emplace_back(state_->loop, socket.descriptor, Door::kNetwork);
    if (unix_socket) listeners_.emplace_back(state_->loop, unix_socket->descriptor, Door::kMachine);
    state_->loop.post([this] {
      for (Listener& listener : listeners_) wait_for_clients(listener);
    });
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
  enum class Door : std::uint8_t { kNetwork, kMachine };
  struct Listener {
    Listener(Loop& loop, int descriptor, Door from) : watch(loop, descriptor), door(from) {}
    Watch watch;
    const Door door;
  };

  void wait_for_clients(Listener& listener);
  void accept_clients(Listener& listener);
  void welcome(AcceptedSocket socket, Door door);
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
  std::list<Listener> listeners_;  // none once it stops

  Mutex mutex_;
  Condition changed_;
  bool stop_begun_ BELFRY_GUARDED_BY(mutex_) = false;
  bool is_empty_ BELFRY_GUARDED_BY(mutex_) = false;
};

void HttpServer::Impl::wait_for_clients(Listener& listener) {
  listener.watch.when_readable([this, &listener] { accept_clients(listener); });
}

void HttpServer::Impl::accept_clients(Listener& listener) {
  for (int i = 0; i < kAcceptsAtOnce && !core_.stopping; ++i) {
    AcceptTrouble trouble{};
    auto socket = accept_one(listener.watch.descriptor(), trouble);
    if (socket) {
      welcome(std::move(*socket), listener.door);
    } else if (trouble == AcceptTrouble::kExhausted) {
      return state_->loop.post_after(kExhaustedPause, [this, &listener] {
        if (!core_.stopping) wait_for_clients(listener);
      });
    } else if (trouble == AcceptTrouble::kNobody) {
      break;
    }
  }
  if (!core_.stopping) wait_for_clients(listener);
}

void HttpServer::Impl::welcome(AcceptedSocket socket, Door door) {
  const bool is_surplus = !core_.places.take(socket.network);
  if (is_surplus) state_->refused.fetch_add(1);
  const bool is_secure = tls_ != nullptr && door == Door::kNetwork;
  auto transport =
      is_secure ? tls_->accept(socket.descriptor) : make_plain_transport(socket.descriptor);
  auto connection =
      std::make_shared<Connection>(core_, socket.descriptor, std::move(transport),
                                   Connection::Peer{.address = std::move(socket.address),
                                                    .user = socket.user,
                                                    .network = std::move(socket.network),
                                                    .secure = is_secure,
                                                    .surplus = is_surplus});
  core_.connections.insert(connection);
  state_->connections.fetch_add(1);
  if (core_.connections.size() - core_.places.used() > kSurplusConnections)
    return connection->close();
  connection->start();
}

void HttpServer::Impl::begin_stopping() {
  listeners_.clear();
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
  std::optional<ListeningSocket> unix_socket;
  if (!options.socket.empty()) {
    auto opened = open_unix_listener(options.socket);
    if (!opened) {
      ::close(socket.descriptor);
      return fail(std::move(opened).error());
    }
    unix_socket = *opened;
  }
  try {  // Asio and std::thread throw when the system has no more of what they need
    auto impl = std::make_unique<Impl>(std::move(options), std::move(handler), std::move(tls),
                                       socket, unix_socket);
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
