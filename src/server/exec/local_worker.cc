#include "server/exec/local_worker.h"

#include <utility>

namespace belfry::server {

LocalWorker::LocalWorker(const service::Services& services, Incarnation node,
                         const std::string& name, worker::ExecOptions exec,
                         std::unique_ptr<ExecLeave> leave)
    : leave_(std::move(leave)),
      transport_(services, node, *leave_),
      worker_(transport_, services.clock, services.log,
              {.name = name, .concurrency = 8, .grace = std::chrono::seconds(5)}) {
  worker_.handle_exec("default", worker::exec_handler(std::move(exec)));
  thread_ = std::thread([this, &log = services.log] {
    if (const auto done = worker_.run(); !done) {
      log.error("local_worker_stopped", {{"reason", to_string(done.error())}});
    }
  });
}

void LocalWorker::stop() {
  if (!thread_.joinable()) return;
  worker_.stop();
  thread_.join();
}

}  // namespace belfry::server
