#include "server/serve.h"

#include "api/api_server.h"
#include "base/real_clock.h"
#include "cli/frame/exit_code.h"
#include "demo/play.h"
#include "server/addresses.h"
#include "server/banner.h"
#include "server/data_folder.h"
#include "server/exec/exec_options.h"
#include "server/file_watch.h"
#include "server/node_server.h"
#include "server/service_manager.h"
#include "server/signals.h"
#include "server/upkeep.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <utility>

namespace belfry::server {
namespace {

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
  if (::isatty(STDOUT_FILENO) != 0) {
    std::cout << banner(options, {.port = server->port(),
                                  .runs_commands = server->has_worker(),
                                  .sign_in_path = server->sign_in_path().value_or("")})
              << std::flush;
  }
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
