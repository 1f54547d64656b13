#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "base/rng.h"
#include "engine/dispatch/dispatch.h"
#include "engine/dispatch/live_runs.h"
#include "engine/observer.h"
#include "store/runs.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace belfry::engine {

struct CompletionsConfig {
  // How long an end is tried while its outcome is unknown, before its worker is told so.
  Duration patience = std::chrono::seconds(10);
  Duration pause_after_error = std::chrono::milliseconds(100);
  std::size_t ends_per_statement = 1'000;
  std::size_t most_waiting = 100'000;
};

// Writes down what workers report: all that came in while the last statement ran goes into the next
// one, so many workers cost little more than one.
//
// A success is written as it stands; the end of a failure is decided from the run's facts first. If
// the store does not accept an end, its worker need not be stale: its own earlier report, whose
// reply was lost, may have been applied. The ledger tells, by the fence. So a report may be
// repeated, by us or by the worker, and gets the same answer each time.
class Completions {
 public:
  Completions(store::RunStore& store, LiveRuns& live, Observer& observer, Rng rng,
              CompletionsConfig config = {})
      : store_(store), live_(live), observer_(observer), rng_(std::move(rng)), config_(config) {}

  // See engine/dispatch/dispatch.h. From any thread.
  void complete(std::vector<Completion> completions, Dispatch::OnCompleted on_completed);
  void heartbeat(std::vector<store::RunGrant> grants, Duration lease,
                 Dispatch::OnHeartbeat on_heartbeat);
  void give_back(std::vector<store::RunGrant> grants, Duration wait);

  // `call` is called, without locks, when there is something to do. Set it first.
  void on_work(std::function<void()> call) { work_ = std::move(call); }

  struct Report {
    std::size_t ended = 0;
    std::size_t fenced = 0;
  };
  // Writes one batch. An error is the store's; what it hit is tried again a little later.
  Result<Report> run_once(BootInstant now);

  // When run_once will have something to do; "at once" is BootInstant::min().
  std::optional<BootInstant> next_wakeup() const;

  // Tells all who wait that it could not be done here. Not while run_once is running.
  void close();

 private:
  // What one caller asked for at once; answered when all of it is known.
  struct Call {
    std::vector<Result<CompletionAnswer>> answers;
    std::size_t open = 0;
    Dispatch::OnCompleted on_completed;
  };
  struct Item {
    std::shared_ptr<Call> call;
    std::size_t index = 0;  // in the call
    Completion completion;
    BootInstant give_up_at;
    bool doubtful = false;  // tried, and the reply was lost
    bool answered = false;
  };
  struct Heartbeat {
    std::vector<store::RunGrant> grants;
    Duration lease{};
    Dispatch::OnHeartbeat on_heartbeat;
  };
  using Returns = std::map<Duration, std::vector<store::RunGrant>>;  // by how long they wait

  std::vector<Heartbeat> take_in(BootInstant now);
  Status beat(std::vector<Heartbeat> beats);
  Status take_back();
  Status end_next(BootInstant now, Report& report);
  Status end(std::span<Item> items, Report& report);
  Status end_once(std::span<Item> items, Report& report);
  Result<std::vector<std::optional<store::AttemptEnd>>> decide(std::span<Item> items);
  Status explain(const std::vector<Item*>& refused, Report& report);
  static void answer(Item& item, Result<CompletionAnswer> answer);
  static void give_up(Item& item);
  void tell() const {
    if (work_) work_();
  }

  store::RunStore& store_;
  LiveRuns& live_;
  Observer& observer_;
  Rng rng_;
  const CompletionsConfig config_;
  std::function<void()> work_;
  std::deque<Item> items_;  // run_once's own: read from the inbox, not answered yet

  mutable Mutex mutex_;
  bool closed_ BELFRY_GUARDED_BY(mutex_) = false;
  std::size_t waiting_ BELFRY_GUARDED_BY(mutex_) = 0;  // runs, here and in items_
  std::vector<Item> inbox_ BELFRY_GUARDED_BY(mutex_);
  std::vector<Heartbeat> beats_ BELFRY_GUARDED_BY(mutex_);
  Returns returns_ BELFRY_GUARDED_BY(mutex_);
  std::size_t returning_ BELFRY_GUARDED_BY(mutex_) = 0;                    // runs in them
  BootInstant not_before_ BELFRY_GUARDED_BY(mutex_) = BootInstant::min();  // after an error
};

}  // namespace belfry::engine
