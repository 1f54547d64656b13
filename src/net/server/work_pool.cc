#include "net/server/work_pool.h"

#include <chrono>
#include <utility>

namespace belfry::net {

void WorkPool::Lane::push(std::function<void()> work, const std::string& payer) {
  std::deque<std::function<void()>>& line = waiting[payer];
  if (line.empty()) turns.push_back(payer);
  line.push_back(std::move(work));
  ++queued;
}

WorkPool::Task WorkPool::Lane::pop() {
  Task task{.payer = std::move(turns.front())};
  turns.pop_front();
  const auto line = waiting.find(task.payer);
  task.work = std::move(line->second.front());
  line->second.pop_front();
  --queued;
  if (line->second.empty()) {
    waiting.erase(line);
  } else {
    turns.push_back(task.payer);
  }
  return task;
}

WorkPool::WorkPool(std::size_t threads, std::size_t queue)
    : most_ordinary_(threads), ordinary_(queue + threads), vital_(queue + threads) {
  threads_.reserve(threads + 1);
  for (std::size_t i = 0; i < threads + 1; ++i) threads_.emplace_back([this] { run(); });
}

WorkPool::~WorkPool() {
  stop();
}

bool WorkPool::try_submit(std::function<void()> work, const WorkTurn& turn) {
  const MutexLock lock(mutex_);
  Lane& lane = lane_of(turn);
  if (stopping_ || !lane.share.take(turn.payer)) return false;
  lane.push(std::move(work), turn.payer);
  // Where none may take it now, those at work on its kind will.
  if (sleepers_.empty() || next_lane() == nullptr) return true;
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
  return ordinary_.queued + vital_.queued;
}

// Sleeps until there may be work.
void WorkPool::rest() {
  Sleeper self;
  sleepers_.push_back(&self);
  while (!self.is_woken) self.woken.wait_for(mutex_, std::chrono::seconds(60));
}

// Where the next work is; none: nothing waits, or as many are at work as may be.
WorkPool::Lane* WorkPool::next_lane() {
  if (vital_.queued > 0) return &vital_;
  return ordinary_.queued > 0 && ordinary_.busy < most_ordinary_ ? &ordinary_ : nullptr;
}

void WorkPool::run() {
  for (;;) {
    Task task;
    Lane* lane = nullptr;
    {
      const MutexLock lock(mutex_);
      while ((lane = next_lane()) == nullptr) {
        // What is left is taken by those who are at work on its kind.
        if (stopping_) return;
        rest();
      }
      task = lane->pop();
      ++lane->busy;
    }
    task.work();
    task.work = nullptr;  // what it holds must go before the place is free
    const MutexLock lock(mutex_);
    --lane->busy;
    lane->share.give_back(task.payer);
  }
}

}  // namespace belfry::net
