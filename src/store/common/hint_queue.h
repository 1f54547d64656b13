#pragma once

#include "base/mutex.h"
#include "core/misfire.h"
#include "store/hints.h"

#include <set>
#include <span>
#include <vector>

namespace belfry::store {

// The runs among what became of a job's ticks.
std::vector<core::RunKey> keys_of_runs(const core::Fates& fates);

// Hints on their way to the thread that waits for them. Those that come while nobody takes them are
// merged, so that a burst costs one look. Thread-safe.
class HintQueue {
 public:
  HintQueue();
  ~HintQueue();
  HintQueue(const HintQueue&) = delete;
  HintQueue& operator=(const HintQueue&) = delete;

  void add_changed(std::span<const JobId> jobs);
  void add_touched(const core::RunRef& run);
  void add_touched(JobId job, std::span<const core::RunKey> keys);
  void add_runs();  // for others: this process knows what it has decided
  void add_events();
  // Ends a wait without a hint.
  void interrupt() { ring(); }

  // Takes out all hints that have come.
  Hints take();
  // Waits until a hint comes or `other` (a file descriptor; -1: none) becomes readable, but at
  // most `longest`.
  void wait(Duration longest, int other = -1) const;

 private:
  void ring() const;

  const int bell_;  // an eventfd: readable while there is something to take
  Mutex mutex_;
  std::set<PartitionNo> changed_ BELFRY_GUARDED_BY(mutex_);
  std::set<core::RunRef> touched_ BELFRY_GUARDED_BY(mutex_);
  std::set<PartitionNo> crowded_ BELFRY_GUARDED_BY(mutex_);
  bool runs_ BELFRY_GUARDED_BY(mutex_) = false;
  bool events_ BELFRY_GUARDED_BY(mutex_) = false;
};

}  // namespace belfry::store
