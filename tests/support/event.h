#pragma once

#include "base/condition.h"
#include "base/mutex.h"

#include <chrono>

namespace belfry::test {

// Something that happens on another thread, once or several times, and that a test waits for. The
// wait has a limit only so that a broken test ends.
class Event {
 public:
  void happen() {
    {
      const MutexLock lock(mutex_);
      ++times_;
    }
    condition_.notify_all();
  }

  // True: it has happened so often.
  bool wait(int times = 1) {
    const MutexLock lock(mutex_);
    for (int i = 0; i < 300 && times_ < times; ++i) {
      condition_.wait_for(mutex_, std::chrono::milliseconds(100));
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
