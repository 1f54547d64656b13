#include "service/access/key_ring.h"

#include "base/text/ascii.h"

#include <chrono>
#include <tuple>
#include <utility>

namespace belfry::service {
namespace {

// With a check of what stays open each second (KeyWatch), less than the five seconds within which a
// revoked key is refused everywhere.
constexpr Duration kRemember = std::chrono::milliseconds(3'500);
constexpr Duration kBetweenNotes = std::chrono::minutes(1);
constexpr std::size_t kMostRemembered = 100'000;
constexpr TenantId kNobodysTenant(1);  // whose owner needs no key: "default"

Error unauthorized() {
  return {
      .code = Errc::kInvalid,
      .message = "the call carries no valid API key",
      .field = "Authorization",
      .hint = "send `Authorization: Bearer bf_…`; an admin makes keys with `belfry keys create`"};
}

Error not_the_owner(const Caller& caller) {
  return {.code = Errc::kInvalid,
          .message = caller.is_passed_on
                         ? "a call that a proxy passes on needs an API key"
                         : "this node has no API keys yet and serves its owner only",
          .field = "Authorization",
          .hint =
              "call it as the user who runs it, or send the token in `owner.token` of its data "
              "folder; for others, make a key with `belfry keys create`"};
}

std::optional<std::string_view> bearer(const std::optional<std::string>& header) {
  constexpr std::string_view kBearer = "Bearer ";
  if (!header || header->size() <= kBearer.size()) return {};
  const std::string_view text = *header;
  if (!equal_ignoring_case(text.substr(0, kBearer.size()), kBearer)) return {};
  return text.substr(kBearer.size());
}

}  // namespace

Result<Principal> KeyRing::identify(const Caller& caller) {
  if (auto known = recall(caller)) return *std::move(known);
  const auto secret = bearer(caller.authorization);
  const bool owner = is_owner(caller, secret);
  if (owner || !secret) return ask_at_door(caller, owner);
  const Sha256 hash = sha256(*secret);
  const BootInstant now = clock_.boot_now();
  BELFRY_TRY(principal, look_up(*secret, hash));
  const MutexLock lock(mutex_);
  if (remembered_.size() >= kMostRemembered) remembered_.clear();
  remembered_[hash] = {principal, now + kRemember};
  if (!principal) return fail(unauthorized());
  return *principal;
}

std::optional<Result<Principal>> KeyRing::recall(const Caller& caller) {
  const auto secret = bearer(caller.authorization);
  const bool owner = is_owner(caller, secret);
  if (owner || !secret) return recall_door(caller, owner);
  const Sha256 hash = sha256(*secret);
  const MutexLock lock(mutex_);
  const auto found = remembered_.find(hash);
  if (found == remembered_.end() || clock_.boot_now() >= found->second.until) return {};
  if (!found->second.principal) return fail(unauthorized());
  return *found->second.principal;
}

Result<std::optional<Principal>> KeyRing::look_up(std::string_view secret, const Sha256& hash) {
  if (oidc_ == nullptr || !is_jwt(secret)) return look_up_key(hash);
  auto holder = oidc_->identify(secret);
  if (!holder) return fail(std::move(holder).error());
  return std::optional(std::move(holder->principal));
}

Result<std::optional<Principal>> KeyRing::look_up_key(const Sha256& hash) {
  const auto holder = store_.find_key(hash);
  if (!holder && holder.error().code == Errc::kNotFound) return std::optional<Principal>();
  if (!holder) return fail(holder.error());
  note_use(holder->key);
  return std::optional(
      Principal{.tenant = holder->tenant.id,
                .tenant_name = holder->tenant.name,
                .scope = holder->key.scope,
                .actor = "key:" + holder->key.name,
                .key_id = std::to_string(holder->key.id.value()),
                .all_tenants = holder->key.scope == store::Scope::kRoot,
                .may_exec = holder->key.may_exec,
                .max_requests = static_cast<std::uint32_t>(holder->tenant.max_requests)});
}

// Once a minute is enough for people. Nothing hangs on it, so a store that fails is not told of.
void KeyRing::note_use(const store::ApiKey& key) {
  const BootInstant now = clock_.boot_now();
  {
    const MutexLock lock(mutex_);
    if (used_.size() >= kMostRemembered) used_.clear();
    const auto [noted, is_new] = used_.try_emplace(key.id, now);
    if (!is_new && now < noted->second + kBetweenNotes) return;
    noted->second = now;
  }
  std::ignore = store_.touch_key(key.id);
}

Result<KeyRing::Door> KeyRing::look_at_door() {
  BELFRY_TRY(any_keys, store_.any_keys());
  if (any_keys) return Door{};
  BELFRY_TRY(tenant, store_.find_tenant(kNobodysTenant));
  return Door{.open = true, .max_requests = static_cast<std::uint32_t>(tenant.max_requests)};
}

// Root may read the token anyway.
bool KeyRing::is_owner(const Caller& caller, std::optional<std::string_view> secret) const {
  if (!owner_) return false;
  if (secret) return !owner_->token.empty() && sha256(*secret) == sha256(owner_->token);
  return !caller.is_passed_on && caller.user && (*caller.user == owner_->user || *caller.user == 0);
}

Result<Principal> KeyRing::at_door(const Door& door, const Caller& caller, bool is_owner) {
  if (!door.open) return fail(unauthorized());
  if (!is_owner) return fail(not_the_owner(caller));
  return Principal{.tenant = kNobodysTenant,
                   .tenant_name = "default",
                   .scope = store::Scope::kRoot,
                   .actor = "owner@" + host_of(caller),
                   .has_key = false,
                   .all_tenants = true,
                   .may_exec = true,
                   .max_requests = door.max_requests};
}

std::optional<Result<Principal>> KeyRing::recall_door(const Caller& caller, bool is_owner) {
  if (!owner_) return fail(unauthorized());
  const MutexLock lock(mutex_);
  if (clock_.boot_now() >= door_until_) return {};
  return at_door(door_, caller, is_owner);
}

Result<Principal> KeyRing::ask_at_door(const Caller& caller, bool is_owner) {
  const BootInstant now = clock_.boot_now();
  BELFRY_TRY(asked, look_at_door());
  const MutexLock lock(mutex_);
  door_ = asked;
  door_until_ = now + kRemember;
  return at_door(asked, caller, is_owner);
}

std::optional<Principal> KeyRing::last_known(const Caller& caller) {
  const auto secret = bearer(caller.authorization);
  const bool owner = is_owner(caller, secret);
  const MutexLock lock(mutex_);
  if (owner || !secret) {
    const auto principal = at_door(door_, caller, owner);
    return principal ? std::optional(*principal) : std::nullopt;
  }
  const auto found = remembered_.find(sha256(*secret));
  return found == remembered_.end() ? std::nullopt : found->second.principal;
}

bool KeyRing::has_known(const Caller& caller) {
  const auto secret = bearer(caller.authorization);
  if (!secret) return false;
  if (is_owner(caller, secret)) return true;
  const MutexLock lock(mutex_);
  const auto found = remembered_.find(sha256(*secret));
  return found != remembered_.end() && found->second.principal;
}

void KeyRing::forget() {
  const MutexLock lock(mutex_);
  for (auto& [hash, remembered] : remembered_) remembered.until = BootInstant::min();
  door_until_ = BootInstant::min();
}

FreshKey draw_key() {
  FreshKey key{.secret = "bf_" + random_token(32), .hash = {}};
  key.hash = sha256(key.secret);
  return key;
}

}  // namespace belfry::service
