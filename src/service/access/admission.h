#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "service/access/key_ring.h"
#include "service/access/principal.h"
#include "service/access/rate_limit.h"
#include "service/access/wrong_keys.h"
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
  Admission(store::Store& store, KeyRing& keys, const Clock& clock, MetricRegistry& metrics,
            Logger& log)
      : store_(store), keys_(keys), limiter_(clock), wrong_keys_(clock, metrics, log) {}

  // None: the call may go on, as `principal`.
  std::optional<Refusal> admit(const Caller& caller, Access access, Principal& principal);

  // Whether the caller has to wait before its key is looked up, because too many wrong ones came
  // from its address.
  std::optional<Refusal> slow_down(const Caller& caller);

  // The same for a token that is a call's only credential, and that nobody here knows.
  std::optional<Refusal> slow_down_guess(const Caller& caller);
  // The caller sent a token that is none.
  void note_wrong_guess(const Caller& caller) { note_wrong_key(caller); }

  // Lets root act for another tenant, given by its name. A caller without a key then keeps to
  // that tenant's rate too.
  std::optional<Refusal> choose_tenant(std::optional<std::string_view> named, Principal& principal);

  // One more message of somebody who was admitted; a refusal says when the next is allowed.
  std::optional<Refusal> count(Principal& principal) { return take_rate(principal); }

 private:
  void note_wrong_key(const Caller& caller);
  std::optional<Refusal> take_rate(Principal& principal);

  store::Store& store_;
  KeyRing& keys_;
  RateLimiter limiter_;
  WrongKeys wrong_keys_;
};

}  // namespace belfry::service
