#include "api/gate.h"

#include <chrono>
#include <utility>

namespace belfry::api {
namespace {

Problem unauthorized(const Error& error) {
  if (error.code != Errc::kInvalid) return problem_of(error);
  return {.status = 401,
          .code = "unauthorized",
          .title = "An API key is needed",
          .detail = to_string(error),
          .headers = {{"WWW-Authenticate", "Bearer"}}};
}

Problem forbidden(const Principal& principal) {
  return {.status = 403,
          .code = "forbidden",
          .title = "The key does not allow this",
          .detail = principal.actor + " has not the scope for this call",
          .errors = {}};
}

Problem too_fast(std::uint32_t limit, Duration wait) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait).count();
  return {.status = 429,
          .code = "rate_limited",
          .title = "Too many calls",
          .detail = "the tenant may call " + std::to_string(limit) + " times a second",
          .headers = {{"Retry-After", std::to_string(seconds)}}};
}

}  // namespace

std::optional<Problem> Gate::admit(std::optional<std::string_view> authorization,
                                   const std::string& remote, Access access, Principal& principal) {
  auto identified = keys_.identify(authorization, remote);
  if (!identified) return unauthorized(identified.error());
  principal = std::move(*identified);
  if (!allows(principal.scope, access)) return forbidden(principal);
  const std::uint32_t limit = principal.max_requests;
  principal.rate = limiter_.take(principal.tenant_name, limit);
  if (!principal.rate.allowed) return too_fast(limit, principal.rate.wait);
  return {};
}

std::optional<Problem> Gate::choose_tenant(std::optional<std::string_view> named,
                                           Principal& principal) const {
  if (!named || *named == principal.tenant_name) return {};
  if (principal.scope != store::Scope::kAdmin) return forbidden(principal);
  const auto tenant = store_.find_tenant(std::string(*named));
  if (!tenant && tenant.error().code == Errc::kNotFound) {
    return not_found("there is no tenant `" + std::string(*named) + "`");
  }
  if (!tenant) return problem_of(tenant.error());
  principal.tenant = tenant->id;
  principal.tenant_name = tenant->name;
  principal.all_tenants = false;
  return {};
}

}  // namespace belfry::api
