#pragma once

#include "base/result.h"
#include "config/serve_options.h"
#include "net/server/server.h"
#include "store/store.h"

#include <cstddef>
#include <string>

// Where a node listens, and to whom it may.
namespace belfry::server {

// Connections take descriptors, and the node's own to its store must never lack one: as many as the
// system gives us, minus some for ourselves. One of gRPC takes two.
struct Connections {
  std::size_t http = 0;
  std::size_t grpc = 0;
};
Connections most_connections();

// How HTTP is to be served. Refused where others could reach a node that asks them for no key.
Result<net::ServerOptions> http_options(const config::ServeOptions& options, store::Store& store);

// By default the port after HTTP's.
Result<std::string> grpc_address(const config::ServeOptions& options);

net::TlsFiles tls_files(const config::ServeOptions& options);

// Whether any address is not of the loopback.
bool is_open_to_others(const config::ServeOptions& options);

// Whether the node runs commands itself: as it was told, or else if it is embedded and listens on
// the loopback only.
bool runs_commands(const config::ServeOptions& options);

}  // namespace belfry::server
