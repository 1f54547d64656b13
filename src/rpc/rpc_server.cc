#include "rpc/rpc_server.h"

#include "base/condition.h"
#include "base/mutex.h"
#include "net/server/front_door.h"
#include "net/server/work_pool.h"
#include "rpc/dispatcher_service.h"
#include "rpc/reflection_service.h"
#include "rpc/unary_service.h"

#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <thread>

namespace belfry::rpc {
namespace {

constexpr const char* kDispatcher = "belfry.v1.Dispatcher";
constexpr int kLargestMessage = 16 * 1024 * 1024;
constexpr std::size_t kMostMemory = 192 * 1024 * 1024;  // for what is being read and written
constexpr int kStreamsPerConnection = 1'000;
// What is read at once is taken apart before any call of it is told to us. So this, too, bounds
// how many calls a caller can begin and give up before the door sees it.
constexpr int kReadAtOnce = 64 * 1024;
// Time for workers to hear of the drain and to report what they have.
const gpr_timespec kGoodbye = gpr_time_from_seconds(2, GPR_TIMESPAN);

constexpr unsigned kBetweenReloads = 1;  // seconds: how often the files of TLS are looked at

Result<std::shared_ptr<grpc::ServerCredentials>> credentials_of(const RpcOptions& options) {
  if (!options.tls) return grpc::InsecureServerCredentials();
  const net::TlsFiles& files = *options.tls;
  // Reads the files again when they change; those of HTTP say what is wrong with them.
  BELFRY_CHECK(net::check_tls(files));
  namespace tls = grpc::experimental;
  tls::TlsServerCredentialsOptions ssl(std::make_shared<tls::FileWatcherCertificateProvider>(
      files.key, files.certificate, files.client_ca, kBetweenReloads));
  ssl.watch_identity_key_cert_pairs();
  if (!files.client_ca.empty()) {
    ssl.watch_root_certs();
    ssl.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  return tls::TlsServerCredentials(ssl);
}

}  // namespace

class RpcServer::Impl {
 public:
  Impl(const RpcOptions& options, const service::Services& services)
      : pool_(options.threads, options.queue),
        shared_{services, pool_},
        service_(shared_),
        unary_(shared_) {}

  ~Impl() { stop(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status start(const RpcOptions& options) {
    BELFRY_TRY(credentials, credentials_of(options));
    BELFRY_CHECK(open_door(options));
    grpc::EnableDefaultHealthCheckService(true);
    grpc::ServerBuilder builder;
    builder.SetMaxReceiveMessageSize(kLargestMessage);
    grpc::ResourceQuota quota("belfry");
    builder.SetResourceQuota(quota.Resize(kMostMemory));
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kStreamsPerConnection);
    builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kReadAtOnce);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
    // Who connects speaks soon, and who has no call for long may come again.
    builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, 10'000);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, 300'000);
    acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, credentials);
    builder.RegisterService(&service_);
    builder.RegisterService(&reflection_);
    builder.RegisterCallbackGenericService(&unary_);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) return fail(Errc::kInternal, "gRPC does not start");
    // Balancers ask by the name of the service they send calls to.
    if (auto* health = server_->GetHealthCheckService())
      health->SetServingStatus(kDispatcher, true);
    key_watch_ = std::thread([this] { watch_keys(); });
    door_->start([this](int connection, int listener) {
      grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters arrived;
      arrived.fd = connection;
      arrived.listener_fd = listener;
      acceptor_->HandleNewConnection(&arrived);
    });
    return {};
  }

  void stop() {
    if (server_ == nullptr) return;
    door_->stop();
    end_watch();
    if (auto* health = server_->GetHealthCheckService()) health->SetServingStatus(false);
    service_.drain();
    server_->Shutdown(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), kGoodbye));
    server_->Wait();
    server_.reset();
    pool_.stop();
  }

  std::uint16_t port() const { return shared_.here.port; }

 private:
  Status open_door(const RpcOptions& options) {
    BELFRY_TRY(address, net::HostPort::parse(options.listen));
    if (address.host == "localhost") address.host = "127.0.0.1";
    auto door = net::FrontDoor::open(
        address, {.connections = options.connections,
                  .clock = shared_.services.clock,
                  .on_cut = [this](const std::string& peer, std::string_view why) {
                    shared_.services.log.warn("grpc_connection_cut",
                                              {{"address", peer}, {"reason", why}});
                  }});
    if (!door) {
      return fail({.code = Errc::kInvalid,
                   .message = "cannot listen on " + options.listen,
                   .field = "grpc_listen",
                   .hint = "is another server there? choose another port, or `off`"});
    }
    door_ = std::move(*door);
    shared_.here = {.host = address.host, .port = door_->port()};
    shared_.door = door_.get();
    return {};
  }

  void watch_keys() {
    for (;;) {
      {
        const MutexLock lock(mutex_);
        if (!stopping_) changed_.wait_for(mutex_, service::kBetweenKeyChecks);
        if (stopping_) return;
      }
      service_.check_keys();
    }
  }

  void end_watch() {
    {
      const MutexLock lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (key_watch_.joinable()) key_watch_.join();
  }

  net::WorkPool pool_;
  Shared shared_;
  DispatcherService service_;
  UnaryService unary_;
  ReflectionService reflection_{
      shared_, {kDispatcher, "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"}};
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<net::FrontDoor> door_;
  Mutex mutex_;
  Condition changed_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::thread key_watch_;  // checks the keys of open streams
};

RpcServer::RpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RpcServer::~RpcServer() = default;

Result<std::unique_ptr<RpcServer>> RpcServer::start(const RpcOptions& options,
                                                    const service::Services& services) {
  auto impl = std::make_unique<Impl>(options, services);
  BELFRY_CHECK(impl->start(options));
  return std::unique_ptr<RpcServer>(new RpcServer(std::move(impl)));
}

std::uint16_t RpcServer::port() const {
  return impl_->port();
}

void RpcServer::stop() {
  impl_->stop();
}

}  // namespace belfry::rpc
