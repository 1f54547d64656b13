#include "service/access/oidc.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace belfry::service {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLeeway = 60s;           // clocks differ
constexpr Duration kKeepKeys = 10min;       // issuers change their keys, and announce it earlier
constexpr Duration kBetweenReadings = 10s;  // however many tokens name a key that is not there
constexpr std::size_t kLongestSubject = 200;

tl::unexpected<Error> refuse(std::string_view what) {
  return fail({.code = Errc::kInvalid,
               .message = "the token " + std::string(what),
               .field = "Authorization",
               .hint = "get a new one from its issuer"});
}

std::optional<Instant> time_at(const Json& claims, const char* name) {
  constexpr std::int64_t kLatest = 253'402'300'799;  // the year 9999
  const auto found = claims.find(name);
  if (found == claims.end() || !found->is_number()) return {};
  const double seconds = found->get<double>();
  if (!(seconds >= 0 && seconds <= static_cast<double>(kLatest))) return {};
  return Instant(std::chrono::seconds(static_cast<std::int64_t>(seconds)));
}

// A claim that is a text of words or a list of them.
std::vector<std::string> words_at(const Json& claims, const std::string& name) {
  std::vector<std::string> words;
  const auto found = claims.find(name);
  if (found == claims.end()) return words;
  if (found->is_array()) {
    for (const Json& each : *found) {
      if (each.is_string()) words.push_back(each.get<std::string>());
    }
  } else if (found->is_string()) {
    std::string_view rest = found->get_ref<const std::string&>();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (end > 0) words.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return words;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestSubject &&
         std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return c < 0x21 || c == 0x7f; });
}

}  // namespace

bool is_jwt(std::string_view text) {
  return text.starts_with("eyJ") && std::count(text.begin(), text.end(), '.') == 2;
}

Result<Oidc::Holder> Oidc::identify(std::string_view token) {
  BELFRY_TRY(claims, verify(token));
  Holder holder;
  BELFRY_CHECK(check(claims, holder.expires_at));
  BELFRY_TRY(principal, principal_of(claims));
  holder.principal = std::move(principal);
  return holder;
}

// A key that is not in the set may be new.
Result<Json> Oidc::verify(std::string_view token) {
  BELFRY_TRY(known, keys(false));
  auto claims = known.verify(token);
  if (!claims && claims.error().code == Errc::kNotFound) {
    BELFRY_TRY(fresh, keys(true));
    claims = fresh.verify(token);
  }
  if (claims) return claims;
  Error error = std::move(claims).error();
  error.code = Errc::kInvalid;
  error.field = "Authorization";
  return fail(std::move(error));
}

Result<JwkSet> Oidc::keys(bool anew) {
  const BootInstant now = world_.clock.boot_now();
  {
    const MutexLock lock(mutex_);
    const Duration age = keys_ ? now - read_at_ : Duration::max();
    if (keys_ && age < (anew ? kBetweenReadings : kKeepKeys)) return *keys_;
  }
  const auto text = world_.read_keys();
  auto read = text ? JwkSet::parse(*text) : Result<JwkSet>(fail(text.error()));
  const MutexLock lock(mutex_);
  if (read) {
    keys_ = *read;
    read_at_ = now;
    return read;
  }
  if (keys_) return *keys_;  // an issuer that is away for a while does not lock everybody out
  return fail(Errc::kUnavailable,
              "the keys of the token's issuer cannot be read: " + to_string(read.error()));
}

Status Oidc::check(const Json& claims, Instant& expires_at) const {
  const Instant now = world_.now();
  if (claims.value("iss", Json()) != options_.issuer) return refuse("is of another issuer");
  if (!has(words_at(claims, "aud"), options_.audience)) return refuse("is for another audience");
  const auto expires = time_at(claims, "exp");
  if (!expires) return refuse("never expires");
  if (*expires + kLeeway <= now) return refuse("has expired");
  const auto begins = time_at(claims, "nbf");
  if (begins && *begins - kLeeway > now) return refuse("is not valid yet");
  expires_at = *expires + kLeeway;
  return {};
}

Result<Principal> Oidc::principal_of(const Json& claims) const {
  const std::vector<std::string> subject = words_at(claims, "sub");
  if (subject.size() != 1 || !is_name(subject[0])) return refuse("names nobody in `sub`");
  const std::vector<std::string> tenant = words_at(claims, options_.tenant_claim);
  if (tenant.size() != 1) return refuse("names no tenant in `" + options_.tenant_claim + "`");
  const std::vector<std::string> words = words_at(claims, options_.scopes_claim);
  const auto is_named = [&](const auto& each) { return has(words, each.first); };
  const auto scope = std::find_if(store::kScopes.begin(), store::kScopes.end(), is_named);
  if (scope == store::kScopes.end())
    return refuse("names no scope in `" + options_.scopes_claim + "`");
  if (std::count_if(store::kScopes.begin(), store::kScopes.end(), is_named) > 1) {
    return refuse("names several scopes in `" + options_.scopes_claim + "`");
  }
  const auto found = world_.tenants.find_tenant(tenant[0]);
  if (!found && found.error().code == Errc::kNotFound)
    return refuse("names a tenant that does not exist");
  if (!found) return fail(found.error());
  const bool is_root = scope->second == store::Scope::kRoot;
  return Principal{.tenant = found->id,
                   .tenant_name = found->name,
                   .scope = scope->second,
                   .actor = "oidc:" + subject[0],
                   .all_tenants = is_root,
                   .may_exec = is_root || has(words, "exec"),
                   .max_requests = static_cast<std::uint32_t>(found->max_requests)};
}

}  // namespace belfry::service
