#include "api/admin/health_calls.h"

#include "api/frame/context.h"
#include "api/openapi_json.h"

namespace belfry::api {
namespace {

Outcome healthz(const Services& /*services*/, const Call& /*call*/) {
  return json_response(200, {{"status", "ok"}});
}

Problem not_ready(std::string title, std::string detail) {
  return {.status = 503,
          .code = "not_ready",
          .title = std::move(title),
          .detail = std::move(detail),
          .headers = {{"Retry-After", "1"}}};
}

// Ready means: the store answers, so a call sent here can be served, and the node has loaded its
// share of the jobs, so the next one may be restarted. What it inherits later is loaded beside.
Outcome readyz(const Services& services, const Call& /*call*/) {
  const auto now = services.store.clock();
  if (!now) return not_ready("The node cannot serve calls just now", to_string(now.error()));
  const std::string waits_for = services.waits_for();
  if (!waits_for.empty()) return not_ready("The node is still loading its jobs", waits_for);
  return json_response(200, {{"status", "ready"}});
}

Outcome metrics(const Services& services, const Call& /*call*/) {
  return net::Response{.headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
                       .body = services.metrics.text()};
}

Outcome openapi(const Services& /*services*/, const Call& /*call*/) {
  return net::Response{.headers = {{"Content-Type", "application/json"}},
                       .body = std::string(kOpenapiJson)};
}

}  // namespace

std::vector<Route> health_routes() {
  return {
      {"GET", "/healthz", Access::kPublic, at_once(healthz), {}, true},
      {"GET", "/readyz", Access::kPublic, at_once(readyz)},
      {"GET", "/metrics", Access::kPublic, at_once(metrics)},
      {"GET", "/openapi.json", Access::kPublic, at_once(openapi)},
  };
}

}  // namespace belfry::api
