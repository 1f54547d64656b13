#include "net/server/work_pool.h"

#include <chrono>
#include <utility>

namespace belfry::net {

WorkPool::WorkPool(std::size_t threads, std::size_t queue) : limit_(queue + threads) {
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkPool::~WorkPool() {
  stop();
}

bool WorkPool::try_submit(std::function<void()> work) {
  const MutexLock lock(mutex_);
  if (stopping_ || queue_.size() + busy_ >= limit_) return false;
  queue_.push_back(std::move(work));
  if (sleepers_.empty()) return true;
  // Under the lock: without it, the sleeper may be gone.
  Sleeper& last = *sleepers_.back();
  sleepers_.pop_back();
  last.is_woken = true;
  last.woken.notify_one();
  return true;
}

void WorkPool::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    for (Sleeper* sleeper : sleepers_) {
      sleeper->is_woken = true;
      sleeper->woken.notify_one();
    }
    sleepers_.clear();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

std::size_t WorkPool::queued() const {
  const MutexLock lock(mutex_);
  return queue_.size();
}

// Sleeps until there may be work.
void WorkPool::rest() {
  Sleeper self;
  sleepers_.push_back(&self);
  while (!self.is_woken) self.woken.wait_for(mutex_, std::chrono::seconds(60));
}

void WorkPool::run() {
  while (true) {
    std::function<void()> work;
    {
      const MutexLock lock(mutex_);
      while (queue_.empty() && !stopping_) rest();
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
      ++busy_;
    }
    work();
    work = nullptr;  // what it holds must go before the place is free
    const MutexLock lock(mutex_);
    --busy_;
  }
}

}  // namespace belfry::net
