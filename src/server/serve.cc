#include "server/serve.h"

#include "base/real_clock.h"
#include "engine/runner.h"
#include "server/open_store.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>

namespace belfry::server {
namespace {

// Signals are taken by this thread alone: blocked everywhere, read here.
sigset_t termination_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

void wait_for_signal(const sigset_t& signals) {
  int received = 0;
  while (sigwait(&signals, &received) != 0) {
  }
  // Supervisors and shells often send a signal to the process and to its group: that is one wish.
  const timespec moment{.tv_sec = 0, .tv_nsec = 100'000'000};
  while (sigtimedwait(&signals, nullptr, &moment) > 0) {
  }
}

std::string host_name() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "node";
  return name;
}

Status run_node(const cli::ServeOptions& options, const sigset_t& signals, Logger& log) {
  const RealClock clock;
  BELFRY_TRY(store, open_store(options.store, clock));
  BELFRY_TRY(region, store->put_region(options.region));
  BELFRY_TRY(rng, Rng::from_system_entropy());
  core::ZoneCatalog zones;
  const engine::NodeConfig config{
      .name = options.node_name.empty() ? host_name() : options.node_name,
      .region = region,
      .ownership = {.ttl = options.lease_ttl, .renew = options.lease_renew},
      .ticker = {}};
  engine::Node node({*store, clock, zones, log}, config, std::move(rng));
  engine::Janitor janitor(*store, zones, node.self(), {});
  engine::Runner runner(node, janitor, config.ownership, log);
  log.info("node_started", {{"node", config.name},
                            {"incarnation", to_hex(node.self().incarnation)},
                            {"region", options.region}});
  runner.start();
  wait_for_signal(signals);
  // A second signal finds the default action again and ends the process.
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  log.info("node_stopping", {{"node", config.name}});
  runner.stop();
  log.info("node_stopped", {{"node", config.name}});
  return {};
}

}  // namespace

int serve(const cli::ServeOptions& options) {
  const sigset_t signals = termination_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before any thread starts: they inherit it
  const RealClock clock;
  Logger log(clock, stderr_sink(), {.format = options.log_format});
  const auto done = run_node(options, signals, log);
  if (done) return 0;
  log.error("cannot_serve",
            {{"code", name_of(done.error().code)}, {"reason", to_string(done.error())}});
  return 1;
}

}  // namespace belfry::server
