#include "service/access/admission.h"

#include <tuple>
#include <utility>

namespace belfry::service {
namespace {

using Kind = Refusal::Kind;

constexpr TenantId kFirstTenant(1);  // whose audit has what concerns no tenant

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

// A key that was valid here is looked up at once, whatever others try from the same address.
std::optional<Refusal> Admission::slow_down(const Caller& caller) {
  if (!caller.authorization || keys_.has_known(caller)) return {};
  return slow_down_guess(caller);
}

std::optional<Refusal> Admission::slow_down_guess(const Caller& caller) {
  const auto wait = wrong_keys_.wait_of(caller.network);
  if (!wait) return {};
  return Refusal{
      .kind = Kind::kTooFast,
      .code = "too_many_wrong_keys",
      .title = "Too many wrong keys",
      .detail = "this address has sent too many keys that are none; wait, and check the key",
      .retry_after = *wait};
}

// In the audit once a second at most, so that nobody fills the store with it.
void Admission::note_wrong_key(const Caller& caller) {
  wrong_keys_.note(caller.network, host_of(caller));
  if (!limiter_.take("wrong keys", 1).allowed) return;
  const store::AuditStore::Refusal refusal{
      .tenant = kFirstTenant, .call = "authorization", .reason = "unauthorized"};
  // What the store cannot note now, the log has.
  std::ignore = store_.note_refusal(
      refusal, {.actor = "unknown", .request_id = "", .address = host_of(caller)});
}

std::optional<Refusal> Admission::admit(const Caller& caller, Access access, Principal& principal) {
  if (auto refusal = slow_down(caller)) return refusal;
  auto identified = keys_.identify(caller);
  if (!identified && identified.error().code != Errc::kInvalid && access == Access::kMetrics) {
    // The figures matter most when the store is away.
    if (auto known = keys_.last_known(caller)) identified = *std::move(known);
  }
  if (!identified) {
    // The owner's token is void once there are keys, but it is nobody's guess.
    const bool wrong = identified.error().code == Errc::kInvalid && caller.authorization &&
                       !keys_.has_known(caller);
    if (wrong) note_wrong_key(caller);
    return unauthorized(identified.error());
  }
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
  if (!named) return {};
  if (*named == principal.tenant_name) {
    principal.all_tenants = false;  // root, who means this one only
    return {};
  }
  if (principal.scope != store::Scope::kRoot) return forbidden(principal);
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
