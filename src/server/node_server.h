#pragma once

#include "api/api_server.h"
#include "base/real_clock.h"
#include "config/serve_options.h"
#include "engine/runner.h"
#include "rpc/rpc_server.h"
#include "server/archive/file_archive.h"
#include "server/couriers/alert_duty.h"
#include "server/couriers/deliveries.h"
#include "server/demo_shift.h"
#include "server/exec/local_worker.h"
#include "server/metrics/engine_metrics.h"
#include "server/metrics/health_metrics.h"
#include "server/metrics/node_metrics.h"
#include "server/node_services.h"
#include "server/open_store.h"
#include "server/trace/run_tracer.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace belfry::server {

// One node with everything it needs; made in the order of the members, ended in reverse.
class NodeServer {
 public:
  static Result<std::unique_ptr<NodeServer>> start(const config::ServeOptions& options,
                                                   Logger& log);

  // Also after a start that failed half way. Safe to call twice.
  ~NodeServer() { stop(); }
  NodeServer(const NodeServer&) = delete;
  NodeServer& operator=(const NodeServer&) = delete;

  // Lets the crew of the demonstration work on.
  void go_on_playing();

  // Comes back only if no thread of the node holds its locks for ever. Asks no store: that one is
  // away is no reason to start anew.
  void prove_alive();

  int port() const { return api_->port(); }
  // Whether it runs commands itself; false also where it was to and may not.
  bool has_worker() const { return worker_.has_value(); }

  // Where a browser signs in to the console as the owner, once, within a few minutes. None: the
  // node has keys, or serves other machines.
  std::optional<std::string> sign_in_path();

  // gRPC looks after its files by itself.
  void reload_tls();

  void stop();

 private:
  explicit NodeServer(Logger& log) : log_(log) {}

  // The steps of a start, in their order.
  Status open_store(const config::ServeOptions& options);
  Status open_secrets(const config::ServeOptions& options);
  Status open_archive(const config::ServeOptions& options);
  Status start_tracing(const config::ServeOptions& options);
  Status make_engine(const config::ServeOptions& options);
  void watch_ledger(const config::ServeOptions& options);
  Status start_api(const config::ServeOptions& options);
  Status tell_owner(const config::ServeOptions& options);
  Status start_rpc(const config::ServeOptions& options);
  Status start_metrics(const config::ServeOptions& options);
  Status start_deliveries(const config::ServeOptions& options);
  Status start_alerts(const config::ServeOptions& options);
  Status start_worker(const config::ServeOptions& options);

  Status trust_issuer(const config::ServeOptions& options);
  std::optional<service::NodeOwner> owner_of(const config::ServeOptions& options) const;
  // What this node knows of itself.
  service::NodeFacts facts();
  service::Reach reach();
  // The database's time, as far as we know it.
  Instant now() const { return node_->now().value_or(clock_.wall_now()); }
  engine::Observer& observer() {
    return tracer_ ? static_cast<engine::Observer&>(*tracer_) : engine_metrics_;
  }

  const RealClock clock_;
  const std::string owner_token_ = "bfo_" + random_token(32);
  Logger& log_;
  core::ZoneCatalog zones_;
  MetricRegistry metrics_;
  store::StoreMetrics store_metrics_{metrics_};
  EngineMetrics engine_metrics_{metrics_, log_};
  Family<Counter>& spans_ = trace::Exporter::counters(metrics_);
  Stores stores_;
  std::optional<service::SecretBox> secrets_;
  RegionNo region_;
  std::optional<trace::Exporter> exporter_;  // none: nothing is traced
  std::optional<RunTracer> tracer_;          // in step with it
  std::optional<engine::Node> node_;
  std::optional<LiveRunMetrics> live_runs_;
  std::optional<HealthMetrics> health_metrics_;
  std::optional<FileArchive> archive_;
  std::optional<engine::Archivist> archivist_;
  std::optional<engine::Janitor> janitor_;
  // The engine calls back into these two until it has stopped.
  std::unique_ptr<Deliveries> deliveries_;
  std::unique_ptr<AlertDuty> alerts_;
  std::optional<DemoShift> shift_;
  std::atomic<const Deliveries*> delivering_ = nullptr;  // for whoever asks while it starts
  std::optional<engine::BulkWorker> bulk_;
  std::optional<engine::LedgerWatch> ledger_watch_;
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

}  // namespace belfry::server
