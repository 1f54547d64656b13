#include "server/node_server.h"

#include "base/digest.h"
#include "server/addresses.h"
#include "server/data_folder.h"
#include "server/exec/exec_options.h"
#include "server/exec/node_files.h"
#include "server/keys/first_key.h"
#include "server/keys/issuer_keys.h"
#include "server/keys/owner_token.h"
#include "server/keys/secret_source.h"
#include "server/metrics/metrics_server.h"
#include "server/metrics/process_metrics.h"
#include "server/node_facts.h"
#include "server/trace/exporter_config.h"
#include "server/work.h"

#include <unistd.h>

#include <tuple>
#include <utility>

namespace belfry::server {
namespace {

std::string name_of_node(const config::ServeOptions& options) {
  if (!options.node_name.empty()) return options.node_name;
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "node";
  return name;
}

engine::AfterLostCommits meaning_of(config::AfterLostCommits told) {
  return told == config::AfterLostCommits::kSkip ? engine::AfterLostCommits::kSkip
                                                 : engine::AfterLostCommits::kRun;
}

}  // namespace

Result<std::unique_ptr<NodeServer>> NodeServer::start(const config::ServeOptions& options,
                                                      Logger& log) {
  auto server = std::unique_ptr<NodeServer>(new NodeServer(log));
  BELFRY_CHECK(server->open_store(options));
  BELFRY_CHECK(server->open_secrets(options));
  BELFRY_CHECK(server->open_archive(options));
  BELFRY_CHECK(server->start_tracing(options));
  BELFRY_CHECK(server->make_engine(options));
  BELFRY_CHECK(server->start_api(options));
  BELFRY_CHECK(server->start_rpc(options));
  BELFRY_CHECK(server->start_metrics(options));
  server->runner_->start();
  server->running_ = true;
  BELFRY_CHECK(server->start_deliveries(options));
  BELFRY_CHECK(server->start_alerts(options));
  if (runs_commands(options)) BELFRY_CHECK(server->start_worker(options));
  return server;
}

Status NodeServer::open_store(const config::ServeOptions& options) {
  if (keeps_files(options)) {
    BELFRY_CHECK(make_folder(options.data_dir));
    warn_of_open_folder(options.data_dir, log_);
  }
  BELFRY_TRY(stores, open_stores(options.store, clock_, store_metrics_, options.store_prepare));
  stores_ = std::move(stores);
  if (options.first_key_file.empty()) return {};
  return make_first_key(options.first_key_file, *stores_.api);
}

void NodeServer::go_on_playing() {
  shift_.emplace(node_->dispatcher(), *stores_.api, clock_);
}

void NodeServer::prove_alive() {
  std::ignore = facts();
}

std::optional<std::string> NodeServer::sign_in_path() {
  const auto any_keys = stores_.api->any_keys();
  if (!any_keys || *any_keys) return {};
  return api_->draw_sign_in_path();
}

void NodeServer::reload_tls() {
  if (const auto done = api_->reload_tls(); !done) {
    log_.warn("tls_not_reloaded", {{"reason", to_string(done.error())}});
  } else {
    log_.info("tls_reloaded");
  }
}

void NodeServer::stop() {
  if (std::exchange(stopped_, true)) return;
  if (shift_) shift_->stop();
  if (worker_) worker_->stop();
  if (alerts_) alerts_->stop();
  if (deliveries_) deliveries_->stop();
  if (metrics_server_) metrics_server_->stop(Duration::zero());
  if (rpc_) rpc_->stop();
  if (api_) api_->stop();
  if (running_) runner_->stop();
  if (exporter_) exporter_->stop();
}

// Secrets that cannot be opened would fail one by one, at night: so the node does not start.
Status NodeServer::open_secrets(const config::ServeOptions& options) {
  secrets_.emplace(*stores_.api, clock_, secret_source(options));
  BELFRY_CHECK(secrets_->start());
  warn_of_open_files(options, log_);
  return {};
}

Status NodeServer::open_archive(const config::ServeOptions& options) {
  if (options.archive_dir.empty()) return {};
  BELFRY_TRY(archive, FileArchive::open(options.archive_dir, *stores_.api));
  archive_.emplace(std::move(archive));
  archivist_.emplace(*stores_.engine, *archive_, clock_);
  return {};
}

service::NodeFacts NodeServer::facts() {
  service::NodeFacts facts = node_facts(*node_, delivering_.load(), clock_);
  if (archivist_) facts.archive = archive_facts(*archivist_, clock_);
  return facts;
}

Status NodeServer::start_tracing(const config::ServeOptions& options) {
  if (options.otlp_endpoint.empty()) return {};
  BELFRY_TRY(config, exporter_config(options, name_of_node(options)));
  exporter_.emplace(std::move(config), spans_, log_);
  tracer_.emplace(RunTracer::World{.next = engine_metrics_,
                                   .exporter = *exporter_,
                                   .ledger = *stores_.api,
                                   .now = [this] { return now(); },
                                   .ratio = options.trace_ratio});
  return {};
}

Status NodeServer::make_engine(const config::ServeOptions& options) {
  store::Store& store = *stores_.engine;
  BELFRY_TRY(region, store.put_region(options.region));
  BELFRY_TRY(rng, Rng::from_system_entropy());
  region_ = region;
  const engine::NodeConfig config{
      .name = name_of_node(options),
      .region = region,
      .ownership = {.ttl = options.lease_ttl, .renew = options.lease_renew},
      .after_lost_commits = meaning_of(options.after_lost_commits)};
  node_.emplace(engine::Node::World{store, clock_, zones_, log_, observer()}, config,
                std::move(rng));
  janitor_.emplace(store, node_->self(),
                   engine::JanitorConfig{.retention = options.history_retention});
  if (archivist_) janitor_->also(*archivist_);
  runner_.emplace(*node_, *janitor_, config.ownership, log_);
  bulk_.emplace(store, node_->self().incarnation, clock_, observer());
  runner_->also(*bulk_);
  watch_ledger(options);
  add_node_metrics(metrics_, *node_, clock_);
  live_runs_.emplace(metrics_, *stores_.api, *node_);
  add_process_metrics(metrics_);
  log_.info("node_started", {{"node", config.name},
                             {"incarnation", to_hex(node_->self().incarnation)},
                             {"region", options.region}});
  return {};
}

void NodeServer::watch_ledger(const config::ServeOptions& options) {
  const auto sign = [this](std::string_view statement) -> Result<engine::Signature> {
    BELFRY_TRY(key, secrets_->signing_key(true));
    if (!key) return engine::Signature{};
    return engine::Signature{.public_key = key->public_key(), .signature = key->sign(statement)};
  };
  ledger_watch_.emplace(engine::LedgerWatch::World{.store = *stores_.api,
                                                   .node = node_->self(),
                                                   .zones = zones_,
                                                   .clock = clock_,
                                                   .log = log_,
                                                   .observer = engine_metrics_,
                                                   .sign = sign},
                        engine::LedgerWatchConfig{.retention = options.history_retention});
  runner_->also(*ledger_watch_);
}

Status NodeServer::start_api(const config::ServeOptions& options) {
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
      .observer = observer(),
      .now = [this] { return now(); },
      .oidc = oidc_ ? &*oidc_ : nullptr,
      .owner = owner_of(options),
      .later = [this](Duration delay,
                      std::function<void()> work) { api_->work_later(delay, std::move(work)); },
      .self = node_->self().incarnation,
      .facts = [this] { return facts(); },
      .home_region = region_,
      .secrets = *secrets_,
      .wake_bulk = [this] { bulk_->wake(); },
      .reach = reach(),
      .trace_ratio = options.trace_ratio});
  health_metrics_.emplace(metrics_, services_->health());
  // Who may see the figures has to be known before the store can go away.
  std::ignore = services_->get().keys.identify({});
  const std::size_t connections = http.limits.connections;
  BELFRY_TRY(api,
             api::ApiServer::start({.http = std::move(http),
                                    .retention = options.history_retention,
                                    .owner_token = is_open_to_others(options) ? "" : owner_token_},
                                   services_->get()));
  api_ = std::move(api);
  node_->on_events([this] {
    api_->poke_events();
    services_->get().cancels.poke();
  });
  // Before it says that it listens: the owner may call at once.
  if (keeps_files(options)) BELFRY_CHECK(tell_owner(options));
  const std::string host = options.listen.substr(0, options.listen.rfind(':'));
  log_.info("listening",
            {{"address", host + ":" + std::to_string(api_->port())}, {"connections", connections}});
  return {};
}

service::Reach NodeServer::reach() {
  return {
      .workers = [this](TenantId tenant,
                        std::size_t most) { return node_->dispatcher().workers_of(tenant, most); },
      .check =
          [this](const std::string& text, TenantId tenant, std::function<void(Status)> on_answer) {
            const Deliveries* deliveries = delivering_.load();
            const auto url = net::Url::parse(text);
            if (deliveries == nullptr || !url) return on_answer({});
            deliveries->check_url(*url, tenant, std::move(on_answer));
          }};
}

Status NodeServer::trust_issuer(const config::ServeOptions& options) {
  if (options.oidc_issuer.empty()) return {};
  BELFRY_TRY(read_keys, issuer_keys(options.oidc_jwks));
  oidc_.emplace(service::OidcOptions{.issuer = options.oidc_issuer,
                                     .audience = options.oidc_audience,
                                     .tenant_claim = options.oidc_tenant_claim,
                                     .scopes_claim = options.oidc_scopes_claim},
                service::Oidc::World{.tenants = *stores_.api,
                                     .clock = clock_,
                                     .now = [this] { return now(); },
                                     .read_keys = std::move(read_keys)});
  return {};
}

std::optional<service::NodeOwner> NodeServer::owner_of(const config::ServeOptions& options) const {
  if (is_open_to_others(options)) return {};
  return service::NodeOwner{.user = geteuid(), .token = owner_token_};
}

Status NodeServer::tell_owner(const config::ServeOptions& options) {
  BELFRY_TRY(any_keys, stores_.api->any_keys());
  if (!any_keys && !is_open_to_others(options)) {
    return write_owner_token(options.data_dir, owner_token_,
                             "127.0.0.1:" + std::to_string(api_->port()));
  }
  remove_owner_token(options.data_dir);
  return {};
}

// By default the port after HTTP's. If that one is taken, the node does not start: workers that
// rely on it would look for it in vain.
Status NodeServer::start_rpc(const config::ServeOptions& options) {
  if (options.grpc_listen == "off") return {};
  BELFRY_TRY(address, grpc_address(options));
  rpc::RpcOptions rpc{.listen = address, .connections = most_connections().grpc};
  if (!options.tls_key.empty()) {
    rpc.tls = tls_files(options);
  }
  auto started = rpc::RpcServer::start(rpc, services_->get());
  if (!started) {
    Error error = started.error();
    error.field = "grpc_listen";
    if (options.grpc_listen.empty()) {
      error.hint =
          "gRPC takes the port after that of --listen; name another with --grpc-listen "
          "HOST:PORT, or do without it: --grpc-listen off";
    }
    return fail(std::move(error));
  }
  rpc_ = std::move(*started);
  const std::string host = address.substr(0, address.rfind(':'));
  log_.info("grpc_ready", {{"grpc", host + ":" + std::to_string(rpc_->port())}});
  return {};
}

Status NodeServer::start_metrics(const config::ServeOptions& options) {
  if (options.metrics_listen.empty()) return {};
  BELFRY_TRY(server, serve_metrics(options.metrics_listen, options.metrics_token_file, metrics_));
  metrics_server_ = std::move(server);
  const std::string& listen = options.metrics_listen;
  log_.info("metrics_ready", {{"metrics", listen.substr(0, listen.rfind(':')) + ":" +
                                              std::to_string(metrics_server_->port())}});
  return {};
}

Status NodeServer::start_deliveries(const config::ServeOptions& options) {
  const auto open = [this](TenantId tenant, Json target) {
    return secrets_->open_target(tenant, std::move(target));
  };
  BELFRY_TRY(deliveries,
             Deliveries::start(options, {.dispatch = node_->dispatcher(),
                                         .keys = *stores_.api,
                                         .node = node_->self().incarnation,
                                         .region = region_,
                                         .clock = clock_,
                                         .now = [this] { return now(); },
                                         .log = log_,
                                         .open = open,
                                         .trace_ratio = options.trace_ratio,
                                         .exporter = exporter_ ? &*exporter_ : nullptr}));
  deliveries_ = std::move(deliveries);
  delivering_ = deliveries_.get();
  return {};
}

Status NodeServer::start_alerts(const config::ServeOptions& options) {
  BELFRY_TRY(alerts, AlertDuty::start(
                         options, {.store = *stores_.api,
                                   .node = node_->self(),
                                   .clock = clock_,
                                   .now = [this] { return now(); },
                                   .log = log_,
                                   .zones = zones_,
                                   .open =
                                       [this](TenantId tenant, Json target) {
                                         return secrets_->open_target(tenant, std::move(target));
                                       },
                                   .note = [this] { return node_note(*node_, clock_); }}));
  alerts_ = std::move(alerts);
  return {};
}

Status NodeServer::start_worker(const config::ServeOptions& options) {
  BELFRY_TRY(exec, exec_options(options));
  auto leave = std::make_unique<ExecLeave>(*stores_.api, exec.confinement.user, options.exec_user);
  if (const Status may = leave->check(); !may) {
    if (may.error().code != Errc::kInvalid) return may;
    log_.warn("commands_refused", {{"reason", may.error().message}, {"hint", may.error().hint}});
    return {};
  }
  if (!options.exec_user.empty()) close_node_files(options, exec.confinement, log_);
  log_.info("commands", {{"exec_user", exec.confinement.user.name},
                         {"cgroup", exec.confinement.groups.has_value()},
                         {"closed", !exec.confinement.closed.empty()}});
  worker_.emplace(services_->get(), node_->self().incarnation, worker_name(), std::move(exec),
                  std::move(leave));
  return {};
}

}  // namespace belfry::server
