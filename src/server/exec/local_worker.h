#pragma once

#include "server/exec/exec_leave.h"
#include "server/exec/local_transport.h"
#include "service/services.h"
#include "worker/exec_handler.h"
#include "worker/worker.h"

#include <memory>
#include <string>
#include <thread>

namespace belfry::server {

// The exec worker inside a node: runs the commands of jobs of the type `default`.
class LocalWorker {
 public:
  // The services must outlive it. It ends by itself when the leave does.
  LocalWorker(const service::Services& services, Incarnation node, const std::string& name,
              worker::ExecOptions exec, std::unique_ptr<ExecLeave> leave);
  ~LocalWorker() { stop(); }
  LocalWorker(const LocalWorker&) = delete;
  LocalWorker& operator=(const LocalWorker&) = delete;

  // Gives commands a moment to end, then stops them. Safe to call twice.
  void stop();

 private:
  const std::unique_ptr<ExecLeave> leave_;
  LocalTransport transport_;
  worker::Worker worker_;
  std::thread thread_;
};

}  // namespace belfry::server
