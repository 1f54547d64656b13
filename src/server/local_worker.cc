#include "server/local_worker.h"

#include "server/work.h"
#include "worker/exec_handler.h"

namespace belfry::server {

LocalWorker::LocalWorker(const service::Services& services, Incarnation node,
                         const std::string& name)
    : transport_(services, node),
      worker_(transport_, services.clock, services.log,
              {.name = name, .concurrency = 8, .grace = std::chrono::seconds(5)}) {
  worker_.handle_exec("default", worker::exec_handler({.environment = own_environment()}));
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
