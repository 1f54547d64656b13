#include "server/work.h"

#include "base/real_clock.h"
#include "cli/frame/exit_code.h"
#include "rpc/grpc_transport.h"
#include "server/exec/exec_options.h"
#include "server/service_manager.h"
#include "server/signals.h"
#include "server/upkeep.h"
#include "worker/rest_transport.h"
#include "worker/worker.h"

#include <unistd.h>

#include <memory>
#include <thread>

namespace belfry::server {
namespace {

Result<std::unique_ptr<worker::Transport>> transport_of(const config::WorkOptions& options,
                                                        const Clock& clock) {
  if (options.grpc.empty()) {
    BELFRY_TRY(rest, worker::RestTransport::make(options.server));
    return std::make_unique<worker::RestTransport>(std::move(rest));
  }
  const rpc::GrpcOptions grpc{.address = options.grpc,
                              .token = options.server.token,
                              .tenant = options.server.tenant,
                              .tls = options.server.server.starts_with("https:"),
                              .ca_file = options.server.ca_file,
                              .own = options.server.own};
  return options.unary ? rpc::make_unary_transport(grpc) : rpc::make_stream_transport(grpc, clock);
}

Status run_worker(const config::WorkOptions& options, const Clock& clock, Logger& log,
                  bool& started) {
  const ServiceManager manager = ServiceManager::from_environment();
  const sigset_t signals = hold_termination_signals();
  hide_from_commands();
  BELFRY_TRY(exec, exec_options(options.exec, options.kill_after));
  BELFRY_TRY(transport, transport_of(options, clock));
  const std::string name = options.name.empty() ? worker_name() : options.name;
  worker::Worker worker(*transport, clock, log,
                        {.name = name,
                         .concurrency = options.concurrency,
                         .lease = options.lease,
                         .grace = options.grace,
                         .region = options.region});
  for (const std::string& type : options.types) {
    worker.handle_exec(type, worker::exec_handler(exec));
  }
  for (const auto& [type, command] : options.exec_types) {
    worker.handle(type, worker::exec_handler(exec, command));
  }
  started = true;
  log.info("worker_started",
           {{"worker", name},
            {"server", options.grpc.empty() ? options.server.server : options.grpc},
            {"exec_user", exec.confinement.user.name},
            {"cgroup", exec.confinement.groups.has_value()}});
  Status status;
  std::thread working([&] {
    status = worker.run();
    if (!status) kill(getpid(), SIGTERM);  // refused: wakes the wait below
  });
  manager.ready("asking for runs");
  wait_for_signal(signals, [&](bool) { manager.alive(); });
  let_signals_end_us(signals);
  manager.stopping();
  log.info("worker_stopping");
  worker.stop();
  working.join();
  log.info("worker_stopped");
  return status;
}

}  // namespace

std::string worker_name() {
  char name[256] = {};
  const bool known = gethostname(name, sizeof name - 1) == 0;
  return (known ? std::string(name) : "worker") + "-" + std::to_string(getpid());
}

int work(const config::WorkOptions& options) {
  const RealClock clock;
  Logger log(clock, stderr_sink());
  bool started = false;
  const auto done = run_worker(options, clock, log, started);
  if (done) return 0;
  log.error("cannot_work",
            {{"code", name_of(done.error().code)}, {"reason", to_string(done.error())}});
  // The server refuses us; errors in our own options were found before.
  if (started && done.error().code == Errc::kInvalid) return cli::kRefused;
  return exit_code_of(done.error());
}

}  // namespace belfry::server
