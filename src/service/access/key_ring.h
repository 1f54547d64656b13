#pragma once

#include "base/clock.h"
#include "base/digest.h"
#include "base/mutex.h"
#include "base/result.h"
#include "service/access/caller.h"
#include "service/access/oidc.h"
#include "service/access/principal.h"
#include "store/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::service {

// Who a request comes from, by the API key it carries. Answers of the store are remembered for a
// few seconds, so that a key costs no statement per call and a revoked one is refused within five
// seconds everywhere. Thread-safe.
//
// Until the first key is made, the node's owner needs none: a first minute on one's own machine
// needs no setup. Who the owner is, is proved by the user that the kernel names for the other end
// of the connection, or by the token in the node's folder; that a call comes from this machine
// proves nothing. The first key ends that for good, whatever becomes of it. It never holds where
// other machines can reach the server.
class KeyRing {
 public:
  // Without an owner everybody needs a key; without `oidc` only our own keys are known.
  KeyRing(store::Store& store, const Clock& clock, std::optional<NodeOwner> owner,
          Oidc* oidc = nullptr)
      : store_(store), clock_(clock), owner_(std::move(owner)), oidc_(oidc) {}

  // kInvalid: no key, or one that is unknown, revoked or expired; the message does not tell which.
  Result<Principal> identify(const Caller& caller);

  // Whether the caller's key was valid when last looked up here, or is the owner's token.
  bool has_known(const Caller& caller);

  // What identify() remembers, without waiting for the store; none: it would have to ask.
  std::optional<Result<Principal>> recall(const Caller& caller);

  // Who the caller was when it was last identified here, however long ago that was: for what must
  // be seen while the store is away.
  std::optional<Principal> last_known(const Caller& caller);

  // Call it when keys or tenants were changed here, so that the store is asked again at once.
  void forget();

 private:
  struct Remembered {
    std::optional<Principal> principal;  // none: refused
    BootInstant until;
  };

  // What callers without a key meet.
  struct Door {
    bool open = false;
    std::uint32_t max_requests = 0;  // of the tenant they act for
  };

  bool is_owner(const Caller& caller, std::optional<std::string_view> secret) const;
  static Result<Principal> at_door(const Door& door, const Caller& caller, bool is_owner);
  std::optional<Result<Principal>> recall_door(const Caller& caller, bool is_owner);
  Result<Principal> ask_at_door(const Caller& caller, bool is_owner);
  Result<std::optional<Principal>> look_up(std::string_view secret, const Sha256& hash);
  Result<std::optional<Principal>> look_up_key(const Sha256& hash);
  Result<Door> look_at_door();
  void note_use(const store::ApiKey& key);

  store::Store& store_;
  const Clock& clock_;
  const std::optional<NodeOwner> owner_;
  Oidc* const oidc_;
  Mutex mutex_;
  std::map<Sha256, Remembered> remembered_ BELFRY_GUARDED_BY(mutex_);
  std::map<store::KeyId, BootInstant> used_ BELFRY_GUARDED_BY(mutex_);  // when last noted
  Door door_ BELFRY_GUARDED_BY(mutex_);
  BootInstant door_until_ BELFRY_GUARDED_BY(mutex_) = BootInstant::min();
};

// A new key: what is shown once, and what is kept.
struct FreshKey {
  std::string secret;  // "bf_…"
  Sha256 hash;
};
FreshKey draw_key();

}  // namespace belfry::service
