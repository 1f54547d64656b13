#include "net/server/work_pool.h"

#include <chrono>
#include <utility>

namespace belfry::net {

void WorkPool::Lane::push(std::function<void()> work, const std::string& payer) {
  std::deque<std::function<void()>>& line = waiting[payer];
  if (line.empty() && !is_full(payer)) turns.push_back(payer);
  line.push_back(std::move(work));
  ++queued;
}

bool WorkPool::Lane::is_full(const std::string& payer) const {
  const auto found = at_work.find(payer);
  return found != at_work.end() && found->second >= most_per_payer;
}

WorkPool::Task WorkPool::Lane::pop() {
  Task task{.payer = std::move(turns.front())};
  turns.pop_front();
  ++busy;
  ++at_work[task.payer];
  --queued;
  const auto line = waiting.find(task.payer);
  task.work = std::move(line->second.front());
  line->second.pop_front();
  if (line->second.empty()) {
    waiting.erase(line);
  } else if (!is_full(task.payer)) {
    turns.push_back(task.payer);
  }
  return task;
}

void WorkPool::Lane::end(const std::string& payer) {
  if (is_full(payer) && waiting.contains(payer)) turns.push_back(payer);
  const auto found = at_work.find(payer);
  if (--found->second == 0) at_work.erase(found);
  --busy;
  share.give_back(payer);
}

WorkPool::WorkPool(std::size_t threads, std::size_t queue)
    : ordinary_{FairShare(queue + threads), threads + 1, threads},
      vital_{FairShare(queue + threads), threads + 2, threads + 1} {
  threads_.reserve(threads + 2);
  for (std::size_t i = 0; i < threads + 2; ++i) threads_.emplace_back([this] { run(); });
}

WorkPool::~WorkPool() {
  stop();
}

bool WorkPool::try_submit(std::function<void()> work, const WorkTurn& turn) {
  const MutexLock lock(mutex_);
  Lane& lane = lane_of(turn);
  if (stopping_ || !lane.share.take(turn.payer)) return false;
  lane.push(std::move(work), turn.payer);
  if (next_lane() != nullptr) wake_one();  // otherwise those at work will take it
  return true;
}

// Under the lock: without it, the sleeper may be gone.
void WorkPool::wake_one() {
  if (sleepers_.empty()) return;
  Sleeper& last = *sleepers_.back();
  sleepers_.pop_back();
  last.is_woken = true;
  last.woken.notify_one();
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
  if (vital_.has_next()) return &vital_;
  return ordinary_.has_next() ? &ordinary_ : nullptr;
}

void WorkPool::run() {
  Task task;
  Lane* lane = nullptr;
  for (;;) {
    {
      const MutexLock lock(mutex_);
      Lane* const last = lane;
      const std::size_t before = last == nullptr ? 0 : last->turns.size();
      if (last != nullptr) last->end(task.payer);
      const bool made_room = last != nullptr && last->turns.size() > before;
      const std::string payer = std::move(task.payer);
      while ((lane = next_lane()) == nullptr) {
        if (stopping_) return;  // what is left is taken by those who are at work
        rest();
      }
      task = lane->pop();
      // Its payer may have one more thread now, and this one goes to another.
      if (made_room && task.payer != payer) wake_one();
    }
    task.work();
    task.work = nullptr;  // what it holds must go before the place is free
  }
}

}  // namespace belfry::net
