#pragma once

#include "base/clock.h"
#include "base/digest.h"
#include "base/mutex.h"
#include "base/result.h"
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
// Until the first key is made, calls without one act as the default tenant's owner: a first minute
// on one's own machine needs no setup. The first key ends that for good, whatever becomes of it. It
// never holds where other machines can reach the server.
class KeyRing {
 public:
  enum class Reach : std::uint8_t { kThisMachine, kNetwork };  // from where the server is called

  KeyRing(store::Store& store, const Clock& clock, Reach reach)
      : store_(store), clock_(clock), reach_(reach) {}

  // kInvalid: no key, or one that is unknown, revoked or expired; the message does not tell which.
  // `authorization` is the value of that header, `remote` the caller's address.
  Result<Principal> identify(std::optional<std::string_view> authorization,
                             const std::string& remote);

  // What identify() remembers, without waiting for the store; none: it would have to ask.
  std::optional<Result<Principal>> recall(std::optional<std::string_view> authorization,
                                          const std::string& remote);

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

  static Result<Principal> anonymous(const Door& door, const std::string& remote);
  std::optional<Result<Principal>> recall_door(const std::string& remote);
  Result<Principal> ask_at_door(const std::string& remote);
  Result<std::optional<Principal>> look_up(const Sha256& hash);
  Result<Door> look_at_door();

  store::Store& store_;
  const Clock& clock_;
  const Reach reach_;
  Mutex mutex_;
  std::map<Sha256, Remembered> remembered_ BELFRY_GUARDED_BY(mutex_);
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
