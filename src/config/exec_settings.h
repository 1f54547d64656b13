#pragma once

#include <string>

namespace belfry::config {

// How commands are run, by a node or by `belfry worker`; as a user wrote it.
struct ExecSettings {
  std::string exec_user;           // empty: nobody for root, otherwise who we are
  std::string exec_env;            // names of variables that are passed on, separated by commas
  std::string exec_memory_max;     // "512M"; empty: no limit
  std::string exec_processes_max;  // "100"; empty: no limit
};

}  // namespace belfry::config
