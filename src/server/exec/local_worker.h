#pragma once

#include "server/exec/local_transport.h"
#include "service/services.h"
#include "worker/exec_handler.h"
#include "worker/worker.h"

#include <string>
#include <thread>

namespace belfry::server {

// The exec worker inside a node: runs the commands of jobs of the type `default`.
class LocalWorker {
 public:
  // The services must outlive it.
  LocalWorker(const service::Services& services, Incarnation node, const std::string& name,
              worker::ExecOptions exec);
  ~LocalWorker() { stop(); }
  LocalWorker(const LocalWorker&) = delete;
  LocalWorker& operator=(const LocalWorker&) = delete;

  // Gives commands a moment to end, then stops them. Safe to call twice.
  void stop();

 private:
  LocalTransport transport_;
  worker::Worker worker_;
  std::thread thread_;
};

}  // namespace belfry::server
