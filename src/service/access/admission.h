#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "service/access/key_ring.h"
#include "service/access/principal.h"
#include "service/access/rate_limit.h"
#include "service/refusal.h"
#include "store/store.h"

#include <optional>
#include <string>
#include <string_view>

namespace belfry::service {

// The door that every call goes through, over HTTP or gRPC: who calls, whether the key allows it,
// how often, and for which tenant. Thread-safe; may wait for the store.
class Admission {
 public:
  Admission(store::Store& store, KeyRing& keys, const Clock& clock)
      : store_(store), keys_(keys), limiter_(clock) {}

  // None: the call may go on, as `principal`. `authorization` is the header's value.
  std::optional<Refusal> admit(std::optional<std::string_view> authorization,
                               const std::string& remote, Access access, Principal& principal);

  // Lets an admin act for another tenant, given by its name. A caller without a key then keeps to
  // that tenant's rate too.
  std::optional<Refusal> choose_tenant(std::optional<std::string_view> named, Principal& principal);

  // One more message of somebody who was admitted; a refusal says when the next is allowed.
  std::optional<Refusal> count(Principal& principal) { return take_rate(principal); }

 private:
  std::optional<Refusal> take_rate(Principal& principal);

  store::Store& store_;
  KeyRing& keys_;
  RateLimiter limiter_;
};

}  // namespace belfry::service
