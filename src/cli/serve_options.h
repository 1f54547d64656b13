#pragma once

#include "base/log.h"
#include "base/time.h"

#include <string>
#include <vector>

namespace belfry::cli {

// `belfry serve`: flags, each with its default.
struct ServeOptions {
  std::string store = "sqlite:belfry.db";  // or postgres://...
  std::string node_name;                   // empty: the host's name
  std::string region = "default";
  Duration lease_ttl = std::chrono::seconds(5);
  Duration lease_renew = std::chrono::seconds(1);
  LogFormat log_format = LogFormat::kText;
  std::string listen = "127.0.0.1:7070";  // HTTP
  std::string tls_certificate;            // PEM files; both or none
  std::string tls_key;
  std::vector<std::string> brokers;    // NAME=URL
  std::string allow_private_webhooks;  // networks, with commas between them
  bool print_routes = false;  // tell what the API has, and end
};

}  // namespace belfry::cli
