#pragma once

#include "base/log/log.h"
#include "base/time.h"

#include <cstdint>
#include <string>

namespace belfry::config {

// Whether a node runs commands itself.
enum class WithWorker : std::uint8_t {
  kAuto,  // alone on the embedded store, reached from this machine only: yes; otherwise no
  kOn,
  kOff,
};

// What `belfry serve` is told. The defaults are in the table of config/settings.h.
struct ServeOptions {
  std::string store;        // sqlite:PATH or postgres://...
  std::string data_dir;     // of what a node keeps in files
  std::string listen;       // HTTP
  std::string grpc_listen;  // empty: the port after `listen`'s; or `off`
  std::string tls_cert;     // PEM files; both or none
  std::string tls_key;
  std::string node_name;  // empty: the host's name
  std::string region;
  Duration lease_ttl{};
  Duration lease_renew{};
  Duration history_retention{};
  WithWorker with_worker = WithWorker::kAuto;
  LogFormat log_format{};
  LogLevel log_level{};
  std::string broker;                  // NAME=URL, several with blanks between them
  std::string allow_private_webhooks;  // networks, with commas between them
  bool print_routes = false;           // tell what the API has, and end
};

}  // namespace belfry::config
