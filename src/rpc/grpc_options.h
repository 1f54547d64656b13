#pragma once

#include "net/tls_files.h"

#include <string>

namespace belfry::rpc {

// Where a worker finds the service, and who it is.
struct GrpcOptions {
  std::string address = "127.0.0.1:7071";
  std::string token;   // bf_…; empty: none
  std::string tenant;  // empty: that of the token
  bool tls = false;
  std::string ca_file;  // with TLS; empty: the system's authorities
  net::TlsFiles own;    // with TLS: our certificate, for servers that ask; empty: none
};

}  // namespace belfry::rpc
