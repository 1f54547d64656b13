#include "api/admin/health_calls.h"

#include "api/frame/context.h"
#include "api/frame/troubles.h"
#include "api/openapi_json.h"

#include <set>

namespace belfry::api {
namespace {

Outcome healthz(const Services& /*services*/, const Call& /*call*/) {
  return json_response(200, {{"status", "ok"}});
}

// Ready means: the store answers, so a call sent here can be served, and the node has loaded its
// share of the jobs, so the next one may be restarted. What it inherits later is loaded beside.
// Anybody may ask, so only codes are told of what else is wrong.
Outcome readyz(const Services& services, const Call& /*call*/) {
  const service::Health::Report report = services.health.report();
  if (report.unready() != nullptr) {
    return with_cause({.status = 503,
                       .code = "not_ready",
                       .title = "The node cannot serve calls just now",
                       .headers = {{"Retry-After", "1"}}},
                      report);
  }
  std::set<std::string_view> codes;
  for (const auto& trouble : report.troubles) codes.insert(service::name_of(trouble.code));
  return json_response(200, {{"status", "ready"}, {"problems", codes}});
}

Outcome metrics(const Services& services, const Call& /*call*/) {
  return net::Response{.headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
                       .body = services.metrics.text()};
}

Outcome openapi(const Services& /*services*/, const Call& /*call*/) {
  return net::Response{.headers = {{"Content-Type", "application/json"}},
                       .body = std::string(kOpenapiJson)};
}

Outcome jobs_schema(const Services& /*services*/, const Call& /*call*/) {
  return net::Response{.headers = {{"Content-Type", "application/json"}},
                       .body = std::string(kJobsSchemaJson)};
}

}  // namespace

std::vector<Route> health_routes() {
  return {
      {"GET", "/healthz", Access::kPublic, at_once(healthz), {}, true},
      {"GET", "/readyz", Access::kPublic, at_once(readyz)},
      {"GET", "/metrics", Access::kMetrics, at_once(metrics)},
      {"GET", "/openapi.json", Access::kPublic, at_once(openapi)},
      {"GET", "/schemas/jobs.json", Access::kPublic, at_once(jobs_schema)},
  };
}

}  // namespace belfry::api
