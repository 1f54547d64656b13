#pragma once

#include "base/result.h"
#include "net/server/server.h"
#include "service/services.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace belfry::rpc {

struct RpcOptions {
  std::string listen;                // "127.0.0.1:7071"; port 0: any
  std::optional<net::TlsFiles> tls;  // as for HTTP
  std::size_t connections = 2'000;   // shared among addresses; beyond that: closed at once
  std::size_t threads = 8;           // for work on the store
  std::size_t queue = 2'000;         // calls that wait for a thread; beyond that: UNAVAILABLE
};

// belfry.v1.Dispatcher over gRPC, with health and reflection.
class RpcServer {
 public:
  // The services must outlive it. kInvalid: the address is taken or wrong, or the files are.
  static Result<std::unique_ptr<RpcServer>> start(const RpcOptions& options,
                                                  const service::Services& services);
  ~RpcServer();
  RpcServer(const RpcServer&) = delete;
  RpcServer& operator=(const RpcServer&) = delete;

  std::uint16_t port() const;

  // Sends workers elsewhere, answers what is in flight, ends. Safe to call twice.
  void stop();

 private:
  class Impl;
  explicit RpcServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace belfry::rpc
