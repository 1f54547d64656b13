#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "store/store.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace belfry::service {

// Tells workers that can be spoken to of the runs they are to stop, at once instead of at their
// next heartbeat. Something that happened in the store is the occasion to look; looked is at most
// so often, at all runs that are held by workers of this node that can be spoken to, with one
// statement. Thread-safe.
class CancelWatch {
 public:
  using OnCancel = std::function<void(const store::RunGrant&)>;

  // The store must outlive it. `later` calls back after a while, from a thread that may wait.
  using Later = std::function<void(Duration, std::function<void()>)>;
  CancelWatch(store::RunStore& store, Later later) : store_(store), later_(std::move(later)) {}

  // Each run is told of once; the callback comes from any thread.
  void add(const store::RunGrant& grant, OnCancel on_cancel);
  void remove(const store::RunGrant& grant);

  // Something happened. From any thread, often.
  void poke();

 private:
  void look();

  store::RunStore& store_;
  const Later later_;
  Mutex mutex_;
  bool looking_ BELFRY_GUARDED_BY(mutex_) = false;  // or about to
  bool again_ BELFRY_GUARDED_BY(mutex_) = false;    // poked meanwhile
  std::map<store::RunGrant, OnCancel> held_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
