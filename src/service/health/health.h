#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "service/health/health_facts.h"
#include "store/store.h"

#include <functional>
#include <optional>
#include <vector>

namespace belfry::service {

// What is wrong, as this node sees it. Whoever asks gets the same facts for a few seconds, and no
// more statements go to the store than that; none at all while the store is away. Thread-safe.
class Health {
 public:
  struct World {
    store::Store& store;
    core::ZoneCatalog& zones;
    const Clock& clock;
    Incarnation self;
    std::function<Instant()> now;
    std::function<NodeFacts()> node;
  };
  explicit Health(World world)
      : world_(std::move(world)),
        watch_({world_.store, world_.zones, world_.clock}),
        given_up_(world_.store) {}

  struct Report {
    HealthFacts facts;
    std::vector<Trouble> troubles;
    const Trouble* unready() const;  // why this node is not ready; null: it is
  };
  Report report();

 private:
  void refresh(const NodeFacts& node);
  Result<ClusterFacts> read();

  const World world_;
  engine::TickWatch watch_;  // as given_up_: only of who refreshes
  GivenUpWatch given_up_;
  Mutex mutex_;
  bool refreshing_ BELFRY_GUARDED_BY(mutex_) = false;
  std::optional<BootInstant> read_at_ BELFRY_GUARDED_BY(mutex_);
  std::optional<ClusterFacts> cluster_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
