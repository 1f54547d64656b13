#include "service/access/admission.h"

#include <utility>

namespace belfry::service {
namespace {

using Kind = Refusal::Kind;

Refusal unauthorized(const Error& error) {
  if (error.code != Errc::kInvalid) return refusal_of(error);
  return {.kind = Kind::kUnauthorized,
          .code = "unauthorized",
          .title = "An API key is needed",
          .detail = to_string(error)};
}

Refusal forbidden(const Principal& principal) {
  return {.kind = Kind::kForbidden,
          .code = "forbidden",
          .title = "The key does not allow this",
          .detail = "the scope of " + principal.actor + " does not allow this call"};
}

Refusal too_fast(std::uint32_t limit, Duration wait) {
  return {.kind = Kind::kTooFast,
          .code = "rate_limited",
          .title = "Too many calls",
          .detail = "the tenant may call " + std::to_string(limit) + " times a second",
          .retry_after = wait};
}

}  // namespace

std::optional<Refusal> Admission::admit(std::optional<std::string_view> authorization,
                                        const std::string& remote, Access access,
                                        Principal& principal) {
  auto identified = keys_.identify(authorization, remote);
  if (!identified) return unauthorized(identified.error());
  principal = std::move(*identified);
  if (!allows(principal.scope, access)) return forbidden(principal);
  return take_rate(principal);
}

std::optional<Refusal> Admission::take_rate(Principal& principal) {
  const std::uint32_t limit = principal.max_requests;
  principal.rate = limiter_.take(principal.tenant_name, limit);
  if (!principal.rate.allowed) return too_fast(limit, principal.rate.wait);
  return {};
}

std::optional<Refusal> Admission::choose_tenant(std::optional<std::string_view> named,
                                                Principal& principal) {
  if (!named || *named == principal.tenant_name) return {};
  if (principal.scope != store::Scope::kAdmin) return forbidden(principal);
  const auto tenant = store_.find_tenant(std::string(*named));
  if (!tenant && tenant.error().code == Errc::kNotFound) {
    return Refusal::not_found("there is no tenant `" + std::string(*named) + "`");
  }
  if (!tenant) return refusal_of(tenant.error());
  principal.tenant = tenant->id;
  principal.tenant_name = tenant->name;
  principal.all_tenants = false;
  if (principal.has_key) return {};
  principal.max_requests = static_cast<std::uint32_t>(tenant->max_requests);
  return take_rate(principal);
}

}  // namespace belfry::service
