#pragma once

#include "base/condition.h"
#include "base/fair_share.h"
#include "base/mutex.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace belfry::net {

struct WorkTurn {
  std::string payer;  // who takes turns with others
  bool is_vital = false;
};

// Threads for work that blocks (a store, a file), so that the loop never does. The queue is short
// on purpose: a caller who cannot be served soon should hear it now (503, Retry-After) and not
// after a timeout. Work goes to the thread that became idle last: its memory is still warm, and
// threads that are not needed sleep on.
//
// Nobody starves others: payers take turns, each has its share of the queue, and one thread is
// always left for the others. What is vital (a heartbeat, without which a run is lost) has a queue
// and a thread of its own, and comes first.
class WorkPool {
 public:
  // `threads` work at a time for one payer, one more for others, and one more for what is vital;
  // `queue` more may wait.
  WorkPool(std::size_t threads, std::size_t queue);
  ~WorkPool();  // stop()
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  // False: the queue is full, the payer has its share of it, or the pool stops; `work` was not
  // taken. From any thread.
  bool try_submit(std::function<void()> work, const WorkTurn& turn = {});

  // Takes no more, finishes what was taken, ends the threads. Not from one of them. Safe to
  // call twice.
  void stop();

  std::size_t queued() const;  // for metrics

 private:
  struct Sleeper {
    Condition woken;
    bool is_woken = false;
  };
  struct Task {
    std::function<void()> work;
    std::string payer;
  };
  // Work that waits, each payer's in its order, and payers by turns.
  struct Lane {
    FairShare share;             // of the places, at work and waiting together
    std::size_t most_busy;       // threads at work
    std::size_t most_per_payer;  // of those
    std::unordered_map<std::string, std::deque<std::function<void()>>> waiting = {};
    std::deque<std::string> turns = {};  // who has something waiting and may have one more thread
    std::unordered_map<std::string, std::size_t> at_work = {};
    std::size_t queued = 0;
    std::size_t busy = 0;

    void push(std::function<void()> work, const std::string& payer);
    bool has_next() const { return !turns.empty() && busy < most_busy; }
    Task pop();
    void end(const std::string& payer);
    bool is_full(const std::string& payer) const;
  };

  void run();
  void rest() BELFRY_REQUIRES(mutex_);
  Lane* next_lane() BELFRY_REQUIRES(mutex_);
  void wake_one() BELFRY_REQUIRES(mutex_);
  Lane& lane_of(const WorkTurn& turn) BELFRY_REQUIRES(mutex_) {
    return turn.is_vital ? vital_ : ordinary_;
  }

  mutable Mutex mutex_;
  Lane ordinary_ BELFRY_GUARDED_BY(mutex_);
  Lane vital_ BELFRY_GUARDED_BY(mutex_);
  std::vector<Sleeper*> sleepers_ BELFRY_GUARDED_BY(mutex_);
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace belfry::net
