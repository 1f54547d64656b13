#pragma once

#include "base/mutex.h"
#include "base/time.h"

#include <condition_variable>
#include <mutex>

namespace belfry {

// Lets a thread that holds a Mutex wait for a change by another thread. Every wait has a limit.
class Condition {
 public:
  // Releases the mutex, waits until notified or for `longest`, and takes the mutex again. May also
  // wake up for no reason: check what you wait for, and wait again.
  void wait_for(Mutex& mutex, Duration longest) BELFRY_REQUIRES(mutex) {
    // The caller holds the mutex before and after.
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
