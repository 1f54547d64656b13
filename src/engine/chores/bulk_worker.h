#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "engine/observer.h"
#include "store/store.h"

#include <cstddef>
#include <functional>
#include <optional>

namespace belfry::engine {

struct BulkConfig {
  Duration lease = std::chrono::seconds(10);  // after a crash others go on this much later
  // How long a batch of changes may hold the locks of partitions, for whose ticks wait as long.
  Duration batch = std::chrono::milliseconds(12);
  std::size_t most = 1'000;      // jobs in a batch, however quick the store is
  std::size_t one_by_one = 100;  // what is done one by one, between two notes of how far it is
};

// Does bulk work (store/bulk.h), in batches. Any node may: a lease in the store sees to it
// that one does. Batches are as large as the time for one allows, so that ticks never wait long.
class BulkWorker {
 public:
  // What it needs of a store.
  struct Stores {
    Stores(store::Store& whole)  // NOLINT(google-explicit-constructor): a store is all of them
        : bulk(whole), runs(whole), listing(whole) {}
    store::BulkStore& bulk;
    store::RunStore& runs;
    store::ListingStore& listing;
  };

  BulkWorker(const Stores& stores, const Incarnation& node, const Clock& clock, Observer& observer,
             BulkConfig config = {})
      : stores_(stores), node_(node), clock_(clock), observer_(observer), config_(config) {}

  // Does a few batches; false: there was nothing to do.
  Result<bool> run_once();

  // Somebody asked for work; from any thread.
  void wake();
  // `call` is called by wake(). Set it first.
  void on_work(std::function<void()> call);

 private:
  Status change_jobs(store::BulkWork work, const store::BulkStore::JobDeed& deed);
  Result<std::optional<store::BulkWork>> change_batch(const store::BulkWork& work,
                                                      const core::JobSelector& selector,
                                                      const store::BulkStore::JobDeed& deed);
  Status pass_over(const store::BulkWork& work, const Error& error);
  Status trigger_jobs(const store::BulkWork& work);
  Status act_on_runs(const store::BulkWork& work);
  Result<bool> act_on_run(const store::BulkWork& work, const store::RunRow& run);
  store::BulkStore::Progress progress_of(const store::BulkWork& work) const;
  void adapt(Duration took);

  const Stores stores_;
  const Incarnation node_;
  const Clock& clock_;
  Observer& observer_;
  const BulkConfig config_;
  std::size_t batch_ = 50;  // jobs in the next one
  Mutex mutex_;
  std::function<void()> on_work_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::engine
