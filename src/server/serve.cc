#include "server/serve.h"

#include "api/api_server.h"
#include "base/digest.h"
#include "base/real_clock.h"
#include "cli/frame/exit_code.h"
#include "demo/play.h"
#include "engine/runner.h"
#include "net/url.h"
#include "rpc/rpc_server.h"
#include "server/couriers/alert_duty.h"
#include "server/couriers/deliveries.h"
#include "server/demo_shift.h"
#include "server/exec/exec_options.h"
#include "server/exec/local_worker.h"
#include "server/file_watch.h"
#include "server/keys/first_key.h"
#include "server/keys/issuer_keys.h"
#include "server/keys/owner_token.h"
#include "server/keys/secret_source.h"
#include "server/metrics/engine_metrics.h"
#include "server/metrics/health_metrics.h"
#include "server/metrics/metrics_server.h"
#include "server/metrics/node_metrics.h"
#include "server/metrics/process_metrics.h"
#include "server/node_facts.h"
#include "server/node_services.h"
#include "server/open_store.h"
#include "server/service_manager.h"
#include "server/signals.h"
#include "server/upkeep.h"
#include "server/work.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <tuple>
#include <utility>

namespace belfry::server {
namespace {

std::string host_name() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "node";
  return name;
}

// For its owner only: jobs' payloads and secrets are in there.
Status make_folder(const std::string& folder) {
  std::error_code error;
  const bool made = std::filesystem::create_directories(folder, error);
  if (made) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  }
  if (!error) return {};
  return fail({.code = Errc::kInvalid,
               .message = "`" + folder + "` cannot be made: " + error.message(),
               .field = "data_dir",
               .hint = "name a folder that this user may write to"});
}

// A folder that was there keeps its mode: it may be shared for a reason that we do not know.
void warn_of_open_folder(const std::string& folder, Logger& log) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::perms others =
      fs::status(folder, error).permissions() & (fs::perms::group_all | fs::perms::others_all);
  if (error || others == fs::perms::none) return;
  log.warn("data_dir_open_to_others",
           {{"data_dir", folder}, {"hint", "chmod 700: payloads and secrets are in there"}});
}

// Beyond loopback every caller needs a key, so there must be one.
Status check_reachable(const std::string& listen, const char* field, store::Store& store) {
  BELFRY_TRY(address, net::HostPort::parse(listen));
  if (net::is_loopback(address.host)) return {};
  BELFRY_TRY(any_keys, store.any_keys());
  if (any_keys) return {};
  return fail({.code = Errc::kInvalid,
               .message = "without an API key Belfry listens on the loopback only",
               .field = field,
               .hint = "listen on 127.0.0.1, make a key with `belfry keys create NAME --scope "
                       "root`, then listen on " +
                       listen + "; or give a `first_key_file`"});
}

bool runs_commands(const config::ServeOptions& options) {
  if (options.with_worker != config::WithWorker::kAuto) {
    return options.with_worker == config::WithWorker::kOn;
  }
  const auto address = net::HostPort::parse(options.listen);
  return options.store.starts_with("sqlite:") && address && net::is_loopback(address->host);
}

Result<std::string> grpc_address(const config::ServeOptions& options) {
  if (!options.grpc_listen.empty()) return options.grpc_listen;
  BELFRY_TRY(http, net::HostPort::parse(options.listen));
  const std::string host = options.listen.substr(0, options.listen.rfind(':'));
  return host + ":" + std::to_string(http.port == 0 ? 0 : (http.port + 1) % 65536);
}

// Connections take descriptors, and the node's own to its store must never lack one: as many as the
// system gives us, minus some for ourselves. One of gRPC takes two.
struct Connections {
  std::size_t http = 0;
  std::size_t grpc = 0;
};
Connections most_connections() {
  constexpr rlim_t kOwn = 200;
  // No more than that: commands that a node runs inherit the limit, and some walk through all
  // of it.
  constexpr rlim_t kEnough = 16'384;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = std::min(files.rlim_max, std::max(files.rlim_cur, kEnough));
  setrlimit(RLIMIT_NOFILE, &files);  // if not, what we have is what we can count on
  getrlimit(RLIMIT_NOFILE, &files);
  const rlim_t left = files.rlim_cur > 2 * kOwn ? files.rlim_cur - kOwn : files.rlim_cur / 2;
  Connections most{.http = net::ServerLimits().connections, .grpc = rpc::RpcOptions().connections};
  most.http = std::min<std::size_t>(most.http, left / 4 * 3);
  most.grpc = std::min<std::size_t>(most.grpc, (left - most.http) / 2);
  return most;
}

net::TlsFiles tls_files(const config::ServeOptions& options) {
  return {
      .certificate = options.tls_cert, .key = options.tls_key, .client_ca = options.tls_client_ca};
}

bool keeps_files(const config::ServeOptions& options) {
  return options.store.starts_with("sqlite:" + options.data_dir + "/");
}

// A folder whose path is too long for a socket in it has none, unless one is asked for.
std::string unix_socket_of(const config::ServeOptions& options) {
  if (options.socket == "off") return "";
  if (!options.socket.empty() || !keeps_files(options)) return options.socket;
  constexpr std::size_t kLongest = 107;
  const std::string path = options.data_dir + "/belfry.sock";
  return path.size() <= kLongest ? path : "";
}

Result<net::ServerOptions> http_options(const config::ServeOptions& options, store::Store& store) {
  net::ServerOptions http{.listen = options.listen, .socket = unix_socket_of(options)};
  http.limits.connections = most_connections().http;
  if (!options.tls_key.empty()) {
    http.tls = tls_files(options);
  }
  BELFRY_CHECK(check_reachable(options.listen, "listen", store));
  if (!options.grpc_listen.empty() && options.grpc_listen != "off") {
    BELFRY_CHECK(check_reachable(options.grpc_listen, "grpc_listen", store));
  }
  return http;
}

bool is_open_to_others(const config::ServeOptions& options) {
  const auto is_open = [](const std::string& listen) {
    const auto address = net::HostPort::parse(listen);
    return !address || !net::is_loopback(address->host);
  };
  const std::string& grpc = options.grpc_listen;
  return is_open(options.listen) || (!grpc.empty() && grpc != "off" && is_open(grpc));
}

// One node with everything it needs; made in the order of the members, ended in reverse.
class NodeServer {
 public:
  static Result<std::unique_ptr<NodeServer>> start(const config::ServeOptions& options,
                                                   Logger& log) {
    auto server = std::unique_ptr<NodeServer>(new NodeServer(log));
    // On PostgreSQL a node keeps no files, and may have no place for any.
    if (keeps_files(options)) {
      BELFRY_CHECK(make_folder(options.data_dir));
      warn_of_open_folder(options.data_dir, log);
    }
    BELFRY_TRY(stores, open_stores(options.store, server->clock_, server->store_metrics_,
                                   options.store_prepare));
    server->stores_ = std::move(stores);
    if (!options.first_key_file.empty()) {
      BELFRY_CHECK(make_first_key(options.first_key_file, *server->stores_.api));
    }
    BELFRY_CHECK(server->open_secrets(options));
    BELFRY_CHECK(server->make_engine(options));
    BELFRY_CHECK(server->start_api(options));
    if (keeps_files(options)) BELFRY_CHECK(server->tell_owner(options));
    BELFRY_CHECK(server->start_rpc(options));
    BELFRY_CHECK(server->start_metrics(options));
    server->runner_->start();
    server->running_ = true;
    BELFRY_CHECK(server->start_deliveries(options));
    BELFRY_CHECK(server->start_alerts(options));
    if (runs_commands(options)) BELFRY_CHECK(server->start_worker(options));
    return server;
  }

  // Also after a start that failed half way. Safe to call twice.
  ~NodeServer() { stop(); }
  NodeServer(const NodeServer&) = delete;
  NodeServer& operator=(const NodeServer&) = delete;

  // Lets the crew of the demonstration work on.
  void go_on_playing() { shift_.emplace(node_->dispatcher(), *stores_.api, clock_); }

  // Comes back only if no thread of the node holds its locks for ever. Asks no store: that one is
  // away is no reason to start anew.
  void prove_alive() { std::ignore = node_facts(*node_, delivering_.load(), clock_); }

  int port() const { return api_->port(); }

  // gRPC looks after its files by itself.
  void reload_tls() {
    if (const auto done = api_->reload_tls(); !done) {
      log_.warn("tls_not_reloaded", {{"reason", to_string(done.error())}});
    } else {
      log_.info("tls_reloaded");
    }
  }

  void stop() {
    if (std::exchange(stopped_, true)) return;
    if (shift_) shift_->stop();
    if (worker_) worker_->stop();
    if (alerts_) alerts_->stop();
    if (deliveries_) deliveries_->stop();
    if (metrics_server_) metrics_server_->stop(Duration::zero());
    if (rpc_) rpc_->stop();
    if (api_) api_->stop();
    if (running_) runner_->stop();
  }

 private:
  explicit NodeServer(Logger& log) : log_(log) {}

  // Secrets that cannot be opened would fail one by one, at night: so the node does not start.
  Status open_secrets(const config::ServeOptions& options) {
    secrets_.emplace(*stores_.api, clock_, secret_source(options));
    BELFRY_CHECK(secrets_->start());
    warn_of_open_files(options, log_);
    return {};
  }

  Status make_engine(const config::ServeOptions& options) {
    store::Store& store = *stores_.engine;
    BELFRY_TRY(region, store.put_region(options.region));
    BELFRY_TRY(rng, Rng::from_system_entropy());
    region_ = region;
    const engine::NodeConfig config{
        .name = options.node_name.empty() ? host_name() : options.node_name,
        .region = region,
        .ownership = {.ttl = options.lease_ttl, .renew = options.lease_renew}};
    node_.emplace(engine::Node::World{store, clock_, zones_, log_, engine_metrics_}, config,
                  std::move(rng));
    janitor_.emplace(store, node_->self(),
                     engine::JanitorConfig{.retention = options.history_retention});
    runner_.emplace(*node_, *janitor_, config.ownership, log_);
    bulk_.emplace(store, node_->self().incarnation, clock_, engine_metrics_);
    runner_->also(*bulk_);
    add_node_metrics(metrics_, *node_, clock_);
    live_runs_.emplace(metrics_, *stores_.api, *node_);
    add_process_metrics(metrics_);
    log_.info("node_started", {{"node", config.name},
                               {"incarnation", to_hex(node_->self().incarnation)},
                               {"region", options.region}});
    return {};
  }

  Status start_api(const config::ServeOptions& options) {
    store::Store& store = *stores_.api;
    BELFRY_TRY(http, http_options(options, store));
    BELFRY_CHECK(trust_issuer(options));
    services_.emplace(NodeServices::World{
        .store = store,
        .dispatch = node_->dispatcher(),
        .zones = zones_,
        .clock = clock_,
        .metrics = metrics_,
        .log = log_,
        .observer = engine_metrics_,
        .now = [this] { return node_->now().value_or(clock_.wall_now()); },
        .oidc = oidc_ ? &*oidc_ : nullptr,
        .owner = owner_of(options),
        .later = [this](Duration delay,
                        std::function<void()> work) { api_->work_later(delay, std::move(work)); },
        .self = node_->self().incarnation,
        .facts = [this] { return node_facts(*node_, delivering_.load(), clock_); },
        .home_region = region_,
        .secrets = *secrets_,
        .wake_bulk = [this] { bulk_->wake(); }});
    health_metrics_.emplace(metrics_, services_->health());
    // Who may see the figures has to be known before the store can go away.
    std::ignore = services_->get().keys.identify({});
    const std::size_t connections = http.limits.connections;
    BELFRY_TRY(api, api::ApiServer::start({.http = std::move(http)}, services_->get()));
    api_ = std::move(api);
    node_->on_events([this] {
      api_->poke_events();
      services_->get().cancels.poke();
    });
    const std::string host = options.listen.substr(0, options.listen.rfind(':'));
    log_.info("listening", {{"address", host + ":" + std::to_string(api_->port())},
                            {"connections", connections}});
    return {};
  }

  Status trust_issuer(const config::ServeOptions& options) {
    if (options.oidc_issuer.empty()) return {};
    BELFRY_TRY(read_keys, issuer_keys(options.oidc_jwks));
    oidc_.emplace(
        service::OidcOptions{.issuer = options.oidc_issuer,
                             .audience = options.oidc_audience,
                             .tenant_claim = options.oidc_tenant_claim,
                             .scopes_claim = options.oidc_scopes_claim},
        service::Oidc::World{.tenants = *stores_.api,
                             .clock = clock_,
                             .now = [this] { return node_->now().value_or(clock_.wall_now()); },
                             .read_keys = std::move(read_keys)});
    return {};
  }

  std::optional<service::NodeOwner> owner_of(const config::ServeOptions& options) const {
    if (is_open_to_others(options)) return {};
    return service::NodeOwner{.user = geteuid(), .token = owner_token_};
  }

  Status tell_owner(const config::ServeOptions& options) {
    BELFRY_TRY(any_keys, stores_.api->any_keys());
    if (!any_keys && !is_open_to_others(options)) {
      return write_owner_token(options.data_dir, owner_token_,
                               "127.0.0.1:" + std::to_string(api_->port()));
    }
    remove_owner_token(options.data_dir);
    return {};
  }

  // By default the port after HTTP's; if that one is taken, the node still starts.
  Status start_rpc(const config::ServeOptions& options) {
    if (options.grpc_listen == "off") return {};
    BELFRY_TRY(address, grpc_address(options));
    rpc::RpcOptions rpc{.listen = address, .connections = most_connections().grpc};
    if (!options.tls_key.empty()) {
      rpc.tls = tls_files(options);
    }
    auto started = rpc::RpcServer::start(rpc, services_->get());
    if (!started) {
      if (!options.grpc_listen.empty()) return fail(started.error());
      log_.warn("grpc_not_listening", {{"reason", to_string(started.error())}});
      return {};
    }
    rpc_ = std::move(*started);
    const std::string host = address.substr(0, address.rfind(':'));
    log_.info("grpc_ready", {{"grpc", host + ":" + std::to_string(rpc_->port())}});
    return {};
  }

  Status start_metrics(const config::ServeOptions& options) {
    if (options.metrics_listen.empty()) return {};
    BELFRY_TRY(server, serve_metrics(options.metrics_listen, options.metrics_token_file, metrics_));
    metrics_server_ = std::move(server);
    const std::string& listen = options.metrics_listen;
    log_.info("metrics_ready", {{"metrics", listen.substr(0, listen.rfind(':')) + ":" +
                                                std::to_string(metrics_server_->port())}});
    return {};
  }

  Status start_deliveries(const config::ServeOptions& options) {
    BELFRY_TRY(deliveries,
               Deliveries::start(
                   options, {.dispatch = node_->dispatcher(),
                             .keys = *stores_.api,
                             .node = node_->self().incarnation,
                             .clock = clock_,
                             .now = [this] { return node_->now().value_or(clock_.wall_now()); },
                             .log = log_,
                             .open =
                                 [this](TenantId tenant, Json target) {
                                   return secrets_->open_target(tenant, std::move(target));
                                 }}));
    deliveries_ = std::move(deliveries);
    delivering_ = deliveries_.get();
    return {};
  }

  Status start_alerts(const config::ServeOptions& options) {
    BELFRY_TRY(alerts,
               AlertDuty::start(options,
                                {.store = *stores_.api,
                                 .node = node_->self(),
                                 .clock = clock_,
                                 .now = [this] { return node_->now().value_or(clock_.wall_now()); },
                                 .log = log_,
                                 .zones = zones_,
                                 .open =
                                     [this](TenantId tenant, Json target) {
                                       return secrets_->open_target(tenant, std::move(target));
                                     }}));
    alerts_ = std::move(alerts);
    return {};
  }

  Status start_worker(const config::ServeOptions& options) {
    BELFRY_TRY(exec, exec_options(options));
    log_.info("commands", {{"exec_user", exec.confinement.user.name},
                           {"cgroup", exec.confinement.groups.has_value()}});
    BELFRY_TRY(any_keys, stores_.api->any_keys());
    if (any_keys && !exec.confinement.user.is_other) {
      log_.warn("commands_own_the_node",
                {{"reason", "commands run as the node's own user, who can read its store"},
                 {"hint", "see docs/guides/workers.md; or `--with-worker off`"}});
    }
    worker_.emplace(services_->get(), node_->self().incarnation, worker_name(), std::move(exec));
    return {};
  }

  const RealClock clock_;
  const std::string owner_token_ = "bfo_" + random_token(32);
  Logger& log_;
  core::ZoneCatalog zones_;
  MetricRegistry metrics_;
  store::StoreMetrics store_metrics_{metrics_};
  EngineMetrics engine_metrics_{metrics_, log_};
  Stores stores_;
  std::optional<service::SecretBox> secrets_;
  RegionNo region_;
  std::optional<engine::Node> node_;
  std::optional<LiveRunMetrics> live_runs_;
  std::optional<HealthMetrics> health_metrics_;
  std::optional<engine::Janitor> janitor_;
  // The engine calls back into these two until it has stopped.
  std::unique_ptr<Deliveries> deliveries_;
  std::unique_ptr<AlertDuty> alerts_;
  std::optional<DemoShift> shift_;
  std::atomic<const Deliveries*> delivering_ = nullptr;  // for whoever asks while it starts
  std::optional<engine::BulkWorker> bulk_;
  std::optional<engine::Runner> runner_;
  std::optional<service::Oidc> oidc_;
  std::optional<NodeServices> services_;
  std::unique_ptr<api::ApiServer> api_;
  std::unique_ptr<rpc::RpcServer> rpc_;
  std::unique_ptr<net::HttpServer> metrics_server_;
  std::optional<LocalWorker> worker_;
  bool running_ = false;
  bool stopped_ = false;
};

int print_routes() {
  for (const api::Route& route : api::all_routes()) {
    std::cout << route.method << ' ' << route.path << ' ' << service::name_of(route.access) << '\n';
  }
  return 0;
}

constexpr std::string_view kDemo = "demo:";

// An embedded store with a past that is made up, for who wants to look around.
Result<std::string> make_demo(const config::ServeOptions& options, Logger& log) {
  const std::string path = options.store.substr(kDemo.size());
  BELFRY_CHECK(make_folder(options.data_dir));
  log.info("demo_begins", {{"what", "sixty jobs live through a fortnight; none of it is real"}});
  BELFRY_CHECK(demo::play(path, RealClock(), log));
  return "sqlite:" + path;
}

Status run_node(config::ServeOptions options, sigset_t signals, Logger& log) {
  const ServiceManager manager = ServiceManager::from_environment();
  if (!options.tls_cert.empty()) hold_hangups(signals);
  const bool is_demo = options.store.starts_with(kDemo);
  if (is_demo) {
    BELFRY_TRY(store, make_demo(options, log));
    options.store = std::move(store);
  }
  BELFRY_TRY(server, NodeServer::start(options, log));
  if (is_demo) server->go_on_playing();
  FileWatch tls({options.tls_cert, options.tls_key, options.tls_client_ca});
  manager.ready("serving on port " + std::to_string(server->port()));
  wait_for_signal(signals, [&](bool hung_up) {
    server->prove_alive();
    manager.alive();
    const bool changed = tls.changed();
    if (changed || hung_up) server->reload_tls();
  });
  let_signals_end_us(signals);
  manager.stopping();
  log.info("node_stopping");
  server->stop();
  log.info("node_stopped");
  return {};
}

}  // namespace

int serve(const config::ServeOptions& options) {
  if (options.print_routes) return print_routes();
  ::unsetenv("BELFRY_SECRETS_KEY");  // it is read; commands that the node runs must not have it
  const sigset_t signals = hold_termination_signals();
  hide_from_commands();
  const RealClock clock;
  Logger log(clock, stderr_sink(), {.least = options.log_level, .format = options.log_format});
  const auto done = run_node(options, signals, log);
  if (done) return 0;
  log.error("cannot_serve",
            {{"code", name_of(done.error().code)}, {"reason", to_string(done.error())}});
  // An address that we, or the system, refuse to serve.
  const std::string& field = done.error().field;
  if (field == "listen" || field == "grpc_listen" || field == "metrics_listen")
    return cli::kRefused;
  return exit_code_of(done.error());
}

}  // namespace belfry::server
