#pragma once

#include "base/mutex.h"
#include "store/hints.h"

#include <set>
#include <span>

namespace belfry::store {

// Hints on their way to the thread that waits for them. Those that come while nobody takes them are
// merged, so that a burst costs one look. Thread-safe.
class HintQueue {
 public:
  HintQueue();
  ~HintQueue();
  HintQueue(const HintQueue&) = delete;
  HintQueue& operator=(const HintQueue&) = delete;

  void add_changed(std::span<const JobId> jobs);
  void add_runs();
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
  bool runs_ BELFRY_GUARDED_BY(mutex_) = false;
  bool events_ BELFRY_GUARDED_BY(mutex_) = false;
};

}  // namespace belfry::store
