#pragma once

#include "base/clock.h"
#include "base/jwk_set.h"
#include "base/mutex.h"
#include "base/result.h"
#include "service/access/principal.h"
#include "store/store.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::service {

struct OidcOptions {
  std::string issuer;        // `iss` of every token, exactly
  std::string audience;      // one of `aud`
  std::string tenant_claim;  // names the tenant
  std::string scopes_claim;  // a scope, and `exec` for the permission; a text or a list
};

// People and programs whom an OpenID provider has signed a token for. What they may do is in the
// token's claims. A token cannot be revoked: it is good until it expires. Thread-safe.
class Oidc {
 public:
  struct World {
    store::TenantStore& tenants;
    const Clock& clock;
    std::function<Instant()> now;
    std::function<Result<std::string>()> read_keys;  // the issuer's JWK set; may wait
  };
  Oidc(OidcOptions options, World world) : options_(std::move(options)), world_(std::move(world)) {}

  struct Holder {
    Principal principal;
    Instant expires_at;
  };
  // kInvalid: the token is none, or is not for us. kUnavailable: the issuer's keys cannot be read.
  Result<Holder> identify(std::string_view token);

 private:
  Result<JwkSet> keys(bool anew);
  Result<Json> verify(std::string_view token);
  Status check(const Json& claims, Instant& expires_at) const;
  Result<Principal> principal_of(const Json& claims) const;

  const OidcOptions options_;
  const World world_;
  Mutex mutex_;
  std::optional<JwkSet> keys_ BELFRY_GUARDED_BY(mutex_);
  BootInstant read_at_ BELFRY_GUARDED_BY(mutex_) = BootInstant::min();
};

// Whether a bearer's text has the form of such a token: our own keys never do.
bool is_jwt(std::string_view text);

}  // namespace belfry::service
