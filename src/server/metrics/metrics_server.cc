#include "server/metrics/metrics_server.h"

#include "base/digest.h"
#include "base/text/ascii.h"

#include <fstream>

namespace belfry::server {
namespace {

// The first word of the file.
Result<std::string> read_token(const std::string& path) {
  std::string token;
  if (path.empty()) return token;
  std::ifstream file(path);
  file >> token;
  if (!token.empty()) return token;
  return fail({.code = Errc::kInvalid,
               .message = "there is no token in `" + path + "`",
               .field = "metrics_token_file",
               .hint = "make one with: openssl rand -hex 32"});
}

bool has_token(const net::Request& request, const std::string& token) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view said = request.headers.find("Authorization").value_or("");
  if (!equal_ignoring_case(said.substr(0, kBearer.size()), kBearer)) return false;
  return sha256(said.substr(kBearer.size())) == sha256(token);
}

net::Response answer(const net::Request& request, const std::string& token,
                     const MetricRegistry& metrics) {
  const net::Headers plain{{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}};
  if (!token.empty() && !has_token(request, token)) {
    return {.status = 401,
            .headers = {{"WWW-Authenticate", "Bearer"}, {"Content-Type", "text/plain"}},
            .body = "the token of metrics_token_file is needed\n"};
  }
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
                                                       const std::string& token_file,
                                                       const MetricRegistry& metrics) {
  BELFRY_TRY(token, read_token(token_file));
  net::ServerOptions options{.listen = listen};
  options.limits.connections = 100;
  auto server = net::HttpServer::start(
      std::move(options),
      [&metrics, token](const net::Request& request, const net::Responder& responder) {
        responder.send(answer(request, token, metrics));
      });
  if (!server) {
    Error error = std::move(server).error();
    error.field = "metrics_listen";
    return fail(std::move(error));
  }
  return server;
}

}  // namespace belfry::server
