#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "base/rng.h"
#include "demo/cast.h"
#include "engine/dispatch/dispatch.h"
#include "store/run_logs.h"

#include <atomic>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace belfry::demo {

// Workers for the cast, in the time of any clock: they ask a node for runs, and end each when its
// time has come. Thread-safe.
class Crew {
 public:
  // Runs that fail "lately" do so from `breaks_at` on.
  Crew(engine::Dispatch& dispatch, store::RunLogStore& logs, const Clock& clock, Instant breaks_at);

  // Asks for runs where nobody is asking; reports what has ended by now.
  void work();

  // When something ends next, or should be looked at again.
  std::optional<Instant> next() const;

 private:
  struct Ending {
    engine::Completion completion;
    std::string log;
  };
  struct Worker {
    std::string name;
    std::vector<std::string> types;
    std::atomic<bool> is_asking = false;
  };

  std::vector<Ending> take_due(Instant now);
  void ask(Worker& worker);
  void answer(Worker& worker, const std::vector<store::ClaimedRun>& runs);
  void take(const store::ClaimedRun& run) BELFRY_REQUIRES(mutex_);
  Ending ending_of(const store::ClaimedRun& run, const Role& role) BELFRY_REQUIRES(mutex_);
  Duration duration_of(const Role& role) BELFRY_REQUIRES(mutex_);

  engine::Dispatch& dispatch_;
  store::RunLogStore& logs_;
  const Clock& clock_;
  const Instant breaks_at_;
  mutable Mutex mutex_;
  Rng rng_ BELFRY_GUARDED_BY(mutex_){17};
  std::deque<Worker> workers_;                                        // they stay where they are
  std::map<std::pair<std::string, std::string>, const Role*> roles_;  // by type and name
  std::multimap<Instant, Ending> endings_ BELFRY_GUARDED_BY(mutex_);
  std::multiset<Instant> looks_ BELFRY_GUARDED_BY(mutex_);  // a retry may be due
};

}  // namespace belfry::demo
