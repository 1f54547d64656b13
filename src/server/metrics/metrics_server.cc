#include "server/metrics/metrics_server.h"

namespace belfry::server {
namespace {

net::Response answer(const net::Request& request, const MetricRegistry& metrics) {
  const net::Headers plain{{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}};
  if (request.path != "/metrics") {
    return {.status = 404, .headers = plain, .body = "only /metrics is served here\n"};
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return {.status = 405, .headers = {{"Allow", "GET, HEAD"}}, .body = ""};
  }
  return {.headers = plain, .body = metrics.text()};
}

}  // namespace

Result<std::unique_ptr<net::HttpServer>> serve_metrics(const std::string& listen,
                                                       const MetricRegistry& metrics) {
  net::ServerOptions options{.listen = listen};
  options.limits.connections = 100;
  auto server = net::HttpServer::start(
      std::move(options), [&metrics](const net::Request& request, const net::Responder& responder) {
        responder.send(answer(request, metrics));
      });
  if (!server) {
    Error error = std::move(server).error();
    error.field = "metrics_listen";
    return fail(std::move(error));
  }
  return server;
}

}  // namespace belfry::server
