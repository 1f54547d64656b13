#pragma once

#include "base/mutex.h"
#include "base/time.h"

#include <condition_variable>
#include <mutex>

namespace belfry {

// Lets threads wait, under a Mutex, for what another thread does under it. Every wait has a limit.
class Condition {
 public:
  // Lets go of the mutex, waits until it is notified or `longest` is over, and takes the mutex
  // again. May also return for no reason: look at what was waited for, and wait again.
  void wait_for(Mutex& mutex, Duration longest) BELFRY_REQUIRES(mutex) {
    // The mutex is ours before and after.
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait_for(lock, longest);
    lock.release();
  }

  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace belfry
