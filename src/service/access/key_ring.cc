#include "service/access/key_ring.h"

#include "base/text/ascii.h"

#include <chrono>
#include <utility>

namespace belfry::service {
namespace {

// Less than the five seconds within which a revoked key is refused everywhere.
constexpr Duration kRemember = std::chrono::seconds(4);
constexpr std::size_t kMostRemembered = 100'000;
constexpr TenantId kNobodysTenant(1);  // whose owner needs no key: "default"

Error unauthorized() {
  return {
      .code = Errc::kInvalid,
      .message = "the call carries no valid API key",
      .field = "Authorization",
      .hint = "send `Authorization: Bearer bf_…`; an admin makes keys with `belfry keys create`"};
}

std::optional<std::string_view> bearer(std::optional<std::string_view> header) {
  constexpr std::string_view kBearer = "Bearer ";
  if (!header || header->size() <= kBearer.size()) return {};
  if (!equal_ignoring_case(header->substr(0, kBearer.size()), kBearer)) return {};
  return header->substr(kBearer.size());
}

std::string host_of(const std::string& remote) {
  return remote.substr(0, remote.rfind(':'));
}

}  // namespace

Result<Principal> KeyRing::identify(std::optional<std::string_view> authorization,
                                    const std::string& remote) {
  const auto secret = bearer(authorization);
  if (!secret) return anonymous(remote);
  const Sha256 hash = sha256(*secret);
  const BootInstant now = clock_.boot_now();
  {
    const MutexLock lock(mutex_);
    const auto found = remembered_.find(hash);
    if (found != remembered_.end() && now < found->second.until) {
      if (!found->second.principal) return fail(unauthorized());
      return *found->second.principal;
    }
  }
  BELFRY_TRY(principal, look_up(hash));
  const MutexLock lock(mutex_);
  if (remembered_.size() >= kMostRemembered) remembered_.clear();
  remembered_[hash] = {principal, now + kRemember};
  if (!principal) return fail(unauthorized());
  return *principal;
}

Result<std::optional<Principal>> KeyRing::look_up(const Sha256& hash) {
  const auto holder = store_.find_key(hash);
  if (!holder && holder.error().code == Errc::kNotFound) return std::optional<Principal>();
  if (!holder) return fail(holder.error());
  return std::optional(
      Principal{.tenant = holder->tenant.id,
                .tenant_name = holder->tenant.name,
                .scope = holder->key.scope,
                .actor = "key:" + holder->key.name,
                .key_id = std::to_string(holder->key.id.value()),
                .all_tenants = holder->key.scope == store::Scope::kAdmin,
                .max_requests = static_cast<std::uint32_t>(holder->tenant.max_requests)});
}

Result<KeyRing::Door> KeyRing::look_at_door() {
  BELFRY_TRY(any_keys, store_.any_keys());
  if (any_keys) return Door{};
  BELFRY_TRY(tenant, store_.find_tenant(kNobodysTenant));
  return Door{.open = true, .max_requests = static_cast<std::uint32_t>(tenant.max_requests)};
}

Result<Principal> KeyRing::anonymous(const std::string& remote) {
  if (reach_ != Reach::kThisMachine) return fail(unauthorized());
  const BootInstant now = clock_.boot_now();
  std::optional<Door> door;
  {
    const MutexLock lock(mutex_);
    if (now < door_until_) door = door_;
  }
  if (!door) {
    BELFRY_TRY(asked, look_at_door());
    door = asked;
    const MutexLock lock(mutex_);
    door_ = asked;
    door_until_ = now + kRemember;
  }
  if (!door->open) return fail(unauthorized());
  return Principal{.tenant = kNobodysTenant,
                   .tenant_name = "default",
                   .scope = store::Scope::kAdmin,
                   .actor = "anonymous@" + host_of(remote),
                   .has_key = false,
                   .all_tenants = true,
                   .max_requests = door->max_requests};
}

void KeyRing::forget() {
  const MutexLock lock(mutex_);
  remembered_.clear();
  door_until_ = BootInstant::min();
}

FreshKey draw_key() {
  FreshKey key{.secret = "bf_" + random_token(32), .hash = {}};
  key.hash = sha256(key.secret);
  return key;
}

}  // namespace belfry::service
