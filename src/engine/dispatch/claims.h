#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "engine/dispatch/dispatch.h"
#include "engine/dispatch/hands.h"
#include "engine/dispatch/live_runs.h"
#include "engine/observer.h"
#include "store/runs.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace belfry::engine {

struct ClaimsConfig {
  // How often to look for runs that became due unnoticed (another node decided them), and only
  // while somebody waits.
  Duration look_every = std::chrono::seconds(1);
  Duration pause_after_error = std::chrono::milliseconds(100);
  // Alarms are rounded up to multiples of this, so that many of them fall together.
  Duration grain = std::chrono::milliseconds(10);
  // Small enough that reports of the runs handed out are written while the next are claimed.
  std::size_t runs_per_claim = 1'000;
  std::size_t most_waiting = 100'000;
  std::size_t most_alarms = 10'000;  // beyond that, `look_every` has to do
};

// Hands due runs to the workers that wait for them.
//
// Workers of a region that can do the same job types (for the same tenant) stand in one line, and a
// line is served at once, first come, first served, from what the node knows of live runs. A line
// that was offered less than it asked for is dry: it is left alone until something wakes it or
// `look_every` is over. So there is no polling: with nobody waiting there is no statement, with
// nothing due there is one a second for each line, which looks at other nodes' partitions.
//
// Between the claim and the answer a worker may be gone. What was certainly not sent to it is given
// back at once; everything else comes back when its lease ends.
class Claims final : public Hands {
 public:
  Claims(store::RunStore& store, LiveRuns& live, Observer& observer, ClaimsConfig config = {})
      : store_(store), live_(live), observer_(observer), config_(config) {}

  // See engine/dispatch/dispatch.h. From any thread.
  Result<ClaimId> claim(Claim claim, Dispatch::OnRuns on_runs);
  bool withdraw(ClaimId claim);
  void wake();
  // Another node has decided runs.
  void wake_for_elsewhere();
  // Something becomes due at `at`: a retry, or the next run of an exclusive job.
  void wake_at(BootInstant at);

  // See engine/dispatch/hands.h. From the thread that decides; the runs are handed out by run_once.
  std::unique_ptr<Reservation> reserve(std::span<const Run> runs) override;
  void deliver(std::unique_ptr<Reservation> reservation,
               std::vector<store::ClaimedRun> granted) override;

  // `call` is called, without locks, when next_wakeup() may have come nearer. Set it first.
  void on_work(std::function<void()> call) { work_ = std::move(call); }

  struct Report {
    std::size_t claims = 0;    // statements
    std::size_t granted = 0;   // runs handed to workers
    std::size_t returned = 0;  // runs given back
    std::size_t expired = 0;   // workers sent away with nothing
  };
  // Claims once for each line that could get something, then sends away workers that have waited
  // long enough. An error is the store's; the lines it hit are tried again a little later.
  Result<Report> run_once(BootInstant now);

  // When run_once will have something to do; "at once" is BootInstant::min().
  std::optional<BootInstant> next_wakeup() const;

  std::size_t waiting() const;

  // Sends everybody away and lets nobody in. Not while run_once is running.
  void close();

 private:
  struct Waiting {
    Claim claim;
    Dispatch::OnRuns on_runs;
  };
  struct LineKey {
    std::set<std::string> job_types;
    std::optional<TenantId> tenant;
    RegionNo region;
    friend auto operator<=>(const LineKey&, const LineKey&) = default;
  };
  // Made by claim(), erased by run_once() only, so that run_once() may keep hold of one.
  struct Line {
    std::map<ClaimId, Waiting> claims;  // ids grow: the first waits longest
    bool dry = false;
    std::uint64_t wakes_seen = 0;  // when it was last looked at
    BootInstant looked_at = BootInstant::min();
    std::uint64_t elsewhere_seen = 0;  // likewise, for runs of other nodes' partitions
    BootInstant visited_at = BootInstant::min();
    BootInstant not_before = BootInstant::min();  // after an error
  };
  using Lines = std::map<LineKey, Line>;

  // An answer that is given once no lock is held.
  struct Answer {
    Dispatch::OnRuns on_runs;
    std::vector<store::ClaimedRun> runs;
  };
  struct Batch {
    ClaimRequest request;
    std::vector<ClaimId> claims;  // of the shares
    std::uint64_t wakes = 0;
    std::uint64_t elsewhere = 0;
  };

  // A worker that is reserved, and what it gets.
  struct Reserved {
    LineKey line;
    ClaimId id;
    Waiting waiting;
    store::Taker taker;
    std::size_t room = 0;
    std::vector<store::ClaimedRun> runs;
  };
  struct Reservations;

  Reserved* reserve_for(const Run& run, Reservations& reservations,
                        std::map<const Line*, bool>& has_backlog) BELFRY_REQUIRES(mutex_);
  void stand_again(Reserved reserved) BELFRY_REQUIRES(mutex_);
  void hand_over(Report& report);

  BootInstant look_at(const Line& line) const BELFRY_REQUIRES(mutex_);
  std::vector<Lines::iterator> lines_to_serve(BootInstant now);
  Status serve(Lines::iterator line, BootInstant now, Report& report);
  Batch collect(Lines::iterator line, BootInstant now);
  std::vector<Answer> hand_out(Lines::iterator line, const Batch& batch, BootInstant now,
                               std::vector<store::ClaimedRun> runs,
                               std::vector<store::RunGrant>& orphans);
  void give_back(const std::vector<store::RunGrant>& grants, Report& report);
  void expire(BootInstant now, Report& report);
  Waiting take(Line& line, ClaimId claim) BELFRY_REQUIRES(mutex_);
  void tell() const {
    if (work_) work_();
  }

  void observe(const Batch& batch, const std::vector<store::ClaimedRun>& runs) const;

  store::RunStore& store_;
  LiveRuns& live_;
  Observer& observer_;
  const ClaimsConfig config_;
  std::function<void()> work_;

  mutable Mutex mutex_;
  bool closed_ BELFRY_GUARDED_BY(mutex_) = false;
  std::uint64_t last_claim_ BELFRY_GUARDED_BY(mutex_) = 0;
  std::uint64_t wakes_ BELFRY_GUARDED_BY(mutex_) = 0;
  std::uint64_t wakes_for_elsewhere_ BELFRY_GUARDED_BY(mutex_) = 0;
  Lines lines_ BELFRY_GUARDED_BY(mutex_);
  std::map<ClaimId, Line*> places_ BELFRY_GUARDED_BY(mutex_);
  std::set<std::pair<BootInstant, ClaimId>> deadlines_ BELFRY_GUARDED_BY(mutex_);
  std::set<BootInstant> alarms_ BELFRY_GUARDED_BY(mutex_);
  std::vector<Reserved> delivered_ BELFRY_GUARDED_BY(mutex_);  // to be handed out
  std::set<ClaimId> reserved_ BELFRY_GUARDED_BY(mutex_);       // not in any line just now
  std::set<ClaimId> gone_ BELFRY_GUARDED_BY(mutex_);           // of those: withdrawn
};

}  // namespace belfry::engine
