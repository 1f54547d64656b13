#pragma once

#include "base/clock.h"
#include "core/overlap.h"
#include "rehearse/diary.h"
#include "rehearse/plan.h"
#include "rehearse/unasked_runs.h"
#include "store/common/fates.h"
#include "store/decisions.h"
#include "store/hints.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace belfry::rehearse {

// What a node remembers of a plan's jobs and their runs, in memory and as long as it lasts: the
// store of a rehearsal. It does what the embedded store does for a ticker, for live runs and for a
// reaper (same_as_sqlite_test.cc compares them), and writes down in the diary what happened. What
// is over is forgotten: a year of a thousand jobs takes no more room than a day.
//
// All jobs are in one partition and wait in one queue. One thread.
class MemoryStore final : public store::DecisionStore, public UnaskedRuns, public store::HintStore {
 public:
  static constexpr PartitionNo kPartition{0};
  static const std::string& queue();

  // All must outlive it.
  MemoryStore(const Plan& plan, const Clock& clock, const Diary& diary);

  // The ids of the plan's jobs, by their places in it.
  static JobId id_of(std::size_t place) { return JobId((place + 1) << 16 | kPartition.value()); }
  static std::size_t place_of(JobId job) { return (job.value() >> 16) - 1; }

  // For a new owner: from now on its decisions count.
  store::OwnedPartition own();
  // When the first run that waits will have waited too long.
  std::optional<Instant> first_start_by() const;

  // ---- store::DecisionStore
  Result<store::PartitionJobs> load_partition(PartitionNo partition) override;
  Result<store::BriefPartition> load_brief(PartitionNo partition) override;
  Result<std::vector<store::JobRow>> load_jobs(std::span<const JobId> jobs) override;
  Result<std::vector<std::optional<store::BriefPartition>>> load_changes(
      std::span<const store::KnownJobs> known) override;
  Result<store::DecideResult> decide(const Incarnation& node,
                                     std::span<const store::PartitionDecision> partitions) override;
  Duration patience() const override { return {}; }
  Result<std::vector<store::DecideOutcome>> complete_jobs(
      const Incarnation& node, std::span<const store::EndedJobs> ended) override;

  // ---- store::RunStore
  Result<std::vector<store::ClaimedRun>> grant(const store::GrantRequest& request) override;
  Result<std::vector<core::LiveRun>> read_live(std::span<const PartitionNo> partitions) override;
  Result<std::vector<core::LiveRun>> find_live(std::span<const core::RunRef> asked) override;
  Result<std::vector<store::TenantShare>> unusual_tenants() override;
  Result<std::vector<store::LimitedType>> limited_types() override;
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const store::RunGrant> grants,
                                                 Duration lease) override;
  Result<std::vector<store::AttemptFacts>> facts_of(
      std::span<const store::RunGrant> grants) override;
  Result<std::vector<bool>> end_attempts(std::span<const store::AttemptEnd> ends) override;
  Result<std::vector<core::RunRef>> give_up(std::span<const core::RunRef> runs) override;

  // ---- store::HintStore: one process, so there is nobody to hear from or to tell
  Result<store::Hints> await_hints(Duration longest) override;
  void touch(std::span<const core::RunRef> runs) override;
  void interrupt_hints() override;

 private:
  struct Run {
    Tick tick;
    Instant due;
    Instant start_by;
    std::int64_t stands_for = 1;
    bool exclusive = false;
    core::RunState state = core::RunState::kReady;
    std::uint32_t attempt = 0;
    Fence fence;
    std::uint64_t claim = 0;
    Instant lease_until;
    Instant deadline;
    bool cancel_requested = false;
    std::optional<Tick> other;  // waited for, or took its place

    bool is_running() const { return state == core::RunState::kRunning; }
    // Catching up, it waits for its turn.
    bool is_in_line() const { return state == core::RunState::kReady && due > tick.instant(); }
  };
  struct Job {
    store::JobRow row;
    core::OverlapTerms terms;
    std::map<core::RunKey, Run> live;
  };
  using Runs = std::map<core::RunKey, Run>;

  Job& job_of(JobId job) { return jobs_[place_of(job)]; }

  store::DecideOutcome outcome_of(const store::PartitionDecision& decision) const;
  void write(const store::Decisions& decisions, store::DecideResult& result);
  void write_job(Job& job, std::span<const store::Fate> fates, store::DecideResult& result);
  void write_run(Job& job, const store::Fate& fate, bool is_newest, store::DecideResult& result);
  void insert(Job& job, const store::Fate& fate, store::DecideResult& result);
  void replace_others(Job& job, Tick newest, store::DecideResult& result);
  void skip(const Job& job, const store::Fate& fate, core::SkipReason reason,
            std::optional<Tick> other = {});
  static bool is_full(const Job& job);
  static const Run* running_beside(const Job& job, Tick tick);

  bool may_begin(const Job& job, const Run& run) const;
  store::ClaimedRun begin(const Job& job, Run& run, const store::Taker& taker, std::uint64_t claim);
  core::LiveRun shown(const Job& job, const Run& run) const;
  // The run of a grant that still holds, or null.
  Run* held(const store::RunGrant& grant);
  void await_start(const Job& job, const Run& run);
  void forget_wait(const Job& job, const Run& run);
  // An event of a run of a job, now.
  Event event(Event::Kind kind, const Job& job, const Run& run) const;
  Instant now() const { return clock_.wall_now(); }

  const Clock& clock_;
  const Diary& diary_;
  std::vector<Job> jobs_;
  Epoch epoch_;
  Fence fence_;
  Instant decided_through_;
  std::set<std::pair<Instant, core::RunRef>> waiting_;  // not begun, by when they have to
  std::vector<store::Fate> fates_;                      // of one decision; kept for its room
};

}  // namespace belfry::rehearse
