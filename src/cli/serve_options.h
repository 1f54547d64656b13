#pragma once

#include "base/log.h"
#include "base/time.h"

#include <string>

namespace belfry::cli {

// `belfry serve`: flags, each with its default.
struct ServeOptions {
  std::string store = "sqlite:belfry.db";  // or postgres://...
  std::string node_name;                   // empty: the host's name
  std::string region = "default";
  Duration lease_ttl = std::chrono::seconds(5);
  Duration lease_renew = std::chrono::seconds(1);
  LogFormat log_format = LogFormat::kText;
};

}  // namespace belfry::cli
