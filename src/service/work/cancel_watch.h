#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "store/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace belfry::service {

// Tells connected workers at once which runs to stop, instead of at their next heartbeat. It looks
// when something happened in the store, but not too often; a look is one statement about the runs
// that connected workers of this node held at the look before, too: in a drain nearly all are over
// by then. Thread-safe.
class CancelWatch {
 public:
  using OnCancel = std::function<void(const store::RunGrant&)>;

  // The store must outlive it. `later` calls back after a while, from a thread that may wait.
  using Later = std::function<void(Duration, std::function<void()>)>;
  CancelWatch(store::RunStore& store, Later later) : store_(store), later_(std::move(later)) {}

  // Calls `on_cancel` at most once for each run, from any thread.
  void add(const store::RunGrant& grant, OnCancel on_cancel);
  void remove(const store::RunGrant& grant);

  // Something happened. Call it as often as you like, from any thread.
  void poke();

 private:
  struct Held {
    OnCancel on_cancel;
    std::uint64_t since = 0;  // the last look before it
  };
  std::vector<store::RunGrant> next_to_ask() BELFRY_REQUIRES(mutex_);
  void look();

  store::RunStore& store_;
  const Later later_;
  Mutex mutex_;
  bool looking_ BELFRY_GUARDED_BY(mutex_) = false;  // or about to
  bool again_ BELFRY_GUARDED_BY(mutex_) = false;    // poked meanwhile
  std::uint64_t looks_ BELFRY_GUARDED_BY(mutex_) = 0;
  std::map<store::RunGrant, Held> held_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
