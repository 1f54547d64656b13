#pragma once

#include "base/condition.h"
#include "base/mutex.h"
#include "tests/support/eventually.h"

#include <chrono>

namespace belfry::test {

// Something that happens on another thread, once or several times, while a test waits for it. The
// wait has a limit only so that a broken test ends.
//
// It must outlive the thread: declare it before the object whose threads use it.
class Event {
 public:
  void happen() {
    // All under the lock: the waiter may destroy this object as soon as it sees the count.
    const MutexLock lock(mutex_);
    ++times_;
    condition_.notify_all();
  }

  // True: it has happened that many times.
  bool wait(int times = 1) {
    const RealClock clock;
    const BootInstant end = clock.boot_now() + kPatience;
    const MutexLock lock(mutex_);
    while (times_ < times && clock.boot_now() < end) {
      condition_.wait_for(mutex_, std::chrono::seconds(1));
    }
    return times_ >= times;
  }

  int times() const {
    const MutexLock lock(mutex_);
    return times_;
  }

 private:
  mutable Mutex mutex_;
  Condition condition_;
  int times_ = 0;
};

}  // namespace belfry::test
