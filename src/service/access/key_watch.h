#pragma once

#include "base/mutex.h"
#include "service/access/key_ring.h"
#include "service/access/principal.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace belfry::service {

// Looks after the keys of what stays open: streams, and claims that wait. With what the key ring
// remembers, and a check each second, whoever came in with a key that is revoked or has expired is
// out within five seconds. Thread-safe.
class KeyWatch {
 public:
  explicit KeyWatch(KeyRing& keys) : keys_(keys) {}

  struct Guest {
    Caller caller;
    Access access{};
    std::function<bool()> has_left;  // then it is forgotten
    std::function<void()> show_out;  // called once, when the key is no longer valid for it
  };
  void add(Guest guest);

  // Shows out whoever has to go. May wait for the store; a store that does not answer is no reason
  // to send anybody away.
  void check();

 private:
  bool is_valid(const Guest& guest);

  KeyRing& keys_;
  Mutex mutex_;
  std::vector<Guest> guests_ BELFRY_GUARDED_BY(mutex_);
};

// How often check() is due.
inline constexpr Duration kBetweenKeyChecks = std::chrono::seconds(1);

}  // namespace belfry::service
