#pragma once

#include "api/key_ring.h"
#include "api/principal.h"
#include "api/problem.h"
#include "api/rate_limit.h"
#include "base/clock.h"
#include "base/result.h"
#include "store/store.h"

#include <optional>
#include <string>
#include <string_view>

namespace belfry::api {

// The door that every call goes through, whatever it comes over: who calls, whether the key allows
// it, how often, and for which tenant. Thread-safe; may wait for the store.
class Gate {
 public:
  Gate(store::Store& store, KeyRing& keys, const Clock& clock)
      : store_(store), keys_(keys), limiter_(clock) {}

  // Nothing: the call may go on, as this principal. `authorization` is the header's value.
  std::optional<Problem> admit(std::optional<std::string_view> authorization,
                               const std::string& remote, Access access, Principal& principal);

  // An admin may act for another tenant, by its name.
  std::optional<Problem> choose_tenant(std::optional<std::string_view> named,
                                       Principal& principal) const;

 private:
  store::Store& store_;
  KeyRing& keys_;
  RateLimiter limiter_;
};

}  // namespace belfry::api
