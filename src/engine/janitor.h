#pragma once

#include "base/result.h"
#include "store/store.h"

#include <cstdint>

namespace belfry::engine {

struct JanitorConfig {
  Duration lease = std::chrono::seconds(30);
  Duration retention = std::chrono::days(90);
};

// The cluster's housework, done by whichever node holds the leader's lease: history is given room
// ahead and dropped after its retention. Jobs fire without it for days, so nobody waits for a
// leader.
class Janitor {
 public:
  Janitor(store::Store& store, store::OwnershipStore::Node node, JanitorConfig config)
      : store_(store), node_(std::move(node)), config_(config) {}

  // True when this node leads and the house is in order.
  Result<bool> run_once() {
    const auto term = store_.lead(node_, config_.lease);
    if (!term && term.error().code == Errc::kConflict) return false;
    if (!term) return fail(term.error());
    BELFRY_CHECK(store_.keep_history(config_.retention));
    return true;
  }

 private:
  store::Store& store_;
  store::OwnershipStore::Node node_;
  JanitorConfig config_;
};

}  // namespace belfry::engine
