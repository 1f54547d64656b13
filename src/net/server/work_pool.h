#pragma once

#include "base/condition.h"
#include "base/mutex.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

namespace belfry::net {

// Threads for work that blocks (a store, a file), so that the loop never does. The queue is short
// on purpose: a caller who cannot be served soon should hear it now (503, Retry-After) and not
// after a timeout. Work goes to the thread that became idle last: its memory is still warm, and
// threads that are not needed sleep on.
class WorkPool {
 public:
  // `threads` work at a time; `queue` more may wait.
  WorkPool(std::size_t threads, std::size_t queue);
  ~WorkPool();  // stop()
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  // False: the queue is full or the pool stops; `work` was not taken. From any thread.
  bool try_submit(std::function<void()> work);

  // Takes no more, finishes what was taken, ends the threads. Not from one of them. Safe to
  // call twice.
  void stop();

  std::size_t queued() const;  // for metrics

 private:
  struct Sleeper {
    Condition woken;
    bool is_woken = false;
  };
  void run();
  void rest() BELFRY_REQUIRES(mutex_);

  const std::size_t limit_;  // at work and waiting together
  mutable Mutex mutex_;
  std::deque<std::function<void()>> queue_ BELFRY_GUARDED_BY(mutex_);
  std::vector<Sleeper*> sleepers_ BELFRY_GUARDED_BY(mutex_);
  std::size_t busy_ BELFRY_GUARDED_BY(mutex_) = 0;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace belfry::net
