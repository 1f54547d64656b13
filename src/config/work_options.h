#pragma once

#include "base/time.h"
#include "client/client.h"
#include "config/exec_settings.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace belfry::config {

// `belfry worker`: what it runs, and how.
struct WorkOptions {
  client::ClientOptions server;
  std::string grpc;                // HOST:PORT: over gRPC instead of REST
  bool unary = false;              // single calls instead of a stream
  std::string name;                // empty: host and process
  std::vector<std::string> types;  // types whose commands (EXEC jobs) it runs
  // Types of WORKER jobs, and the words of the command that does them.
  std::vector<std::pair<std::string, std::vector<std::string>>> exec_types;
  std::string region;  // where it works; empty: in the region of the node that it asks
  std::size_t concurrency = 4;
  Duration lease = std::chrono::seconds(30);
  Duration grace = std::chrono::seconds(30);       // for running runs, when it is told to stop
  Duration kill_after = std::chrono::seconds(10);  // between TERM and KILL of a command
  ExecSettings exec;
};

}  // namespace belfry::config
