#pragma once

#include "net/server/server.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

// For the tests of this module only.
namespace belfry::net {

inline std::unique_ptr<HttpServer> start_server(Handler handler, ServerOptions options = {}) {
  auto server = HttpServer::start(std::move(options), std::move(handler));
  EXPECT_TRUE(server) << to_string(server.error());
  return std::move(*server);
}

// Answers with what it was asked.
inline void echo(Request request, const Responder& responder) {
  Response response;
  response.headers.set("Content-Type", "text/plain");
  response.body = request.method + " " + request.path + " " + request.body;
  responder.send(std::move(response));
}

}  // namespace belfry::net
