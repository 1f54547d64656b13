#pragma once

#include "base/ids.h"
#include "engine/dispatch/dispatch.h"
#include "store/store.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::sim {

// A type of jobs that no worker takes, and how long runs may wait for one.
inline constexpr std::string_view kNobodys = "nobody's";
inline constexpr Duration kStartWithin = std::chrono::seconds(20);
// How long a cancelled run has to stop: no less than a lease, since REPLACE cancels too.
inline constexpr Duration kStopWithin = std::chrono::seconds(12);

// A type of which only so many runs may be in somebody's hands at a time, where the plan says so.
inline constexpr std::string_view kLimited = "other";
inline constexpr std::int32_t kMostOfLimited = 12;

// Everything that is known to have happened in the simulation, independent of the code under test,
// and the properties it must have. Names as on the reliability page: S1 to S12, L4.
class Checker {
 public:
  void violate(const std::string& property, const std::string& what);
  const std::vector<std::string>& violations() const { return violations_; }

  // The definition a job has had since some instant, read from the store after each change.
  void note_job(const store::JobRow& job);
  const std::map<JobId, std::vector<store::JobRow>>& revisions() const { return revisions_; }

  // A worker got a run (S6, S7), and learned whether its report of the end counts (S5). Nobody
  // loses a run while its lease holds (S7).
  void note_grant(const store::ClaimedRun& run, Instant granted, store::Store& truth);
  void note_answer(const engine::Completion& completion, engine::CompletionAnswer answer,
                   Instant db_now, store::Store& truth);

  // A standby takes over: what was noted since it last caught up did not happen, except that
  // workers got the fences they got. Their reports may have been lost too.
  struct Known {
    std::map<JobId, std::vector<store::JobRow>> revisions;
    std::map<core::RunRef, Fence> succeeded;
  };
  Known known() const { return {revisions_, succeeded_}; }
  void note_promotion(Known known);

  // Somebody asked for a run to be run again; the reply may not say whether it was.
  void note_retry(const core::RunRef& run) { ++retries_[run]; }

  // Somebody takes a run from its worker, who may lose it while its lease holds.
  void note_unstuck(const store::RunGrant& grant) { held_until_.erase(grant); }
  // It was answered that this was done (S14).
  void check_unstuck(const store::RunGrant& grant, store::Store& truth);

  // Somebody cancelled a run that a worker has (L10).
  void note_cancelled(const store::RunGrant& grant, Instant db_now) {
    stop_by_[grant] = db_now + kStopWithin;
  }
  void check_stopped(store::Store& truth, Instant db_now);

  // Of kLimited no more than kMostOfLimited are held at any time (S15).
  void expect_limit() { expects_limit_ = true; }

  // Nodes come and go, and nothing else happens: from then on no tick is late (L11).
  void expect_on_time(Instant from) { on_time_from_ = from; }

  // No process died or froze, so whatever a node was granted it could hand out or give back (S13).
  void expect_no_lost_attempts() { knows_all_grants_ = true; }

  // At the end: every tick through `horizon` has exactly one fate, and the rows are consistent.
  // All that were ever made, as far as they are in the ledger.
  std::vector<JobId> jobs() const;

  // Returns how many ticks were checked.
  std::size_t check_ledger(store::Store& store, Instant horizon);
  // L4, once everything that can be was handed out: a due run waits for another run of its job, or
  // for nothing.
  void check_waiting(store::Store& store, Instant now);

 private:
  bool is_exclusive(JobId job) const;
  const store::JobRow* law_of(JobId job, Instant tick) const;
  void check_thaw(const store::ClaimedRun& run, Instant granted, store::Store& truth);
  void check_limit(store::Store& truth);
  void check_start(const store::RunRow& run, Instant now);

  std::size_t check_job(store::Store& store, const std::vector<store::JobRow>& revisions,
                        Instant horizon);
  void check_status(store::Store& store, const store::JobRow& job, Instant horizon);
  void check_runs(store::Store& store, const std::vector<store::RunRow>& runs,
                  const store::JobRow& job);

  std::vector<std::string> violations_;
  std::map<JobId, std::vector<store::JobRow>> revisions_;
  std::map<core::RunRef, Fence> last_fence_;
  std::set<Fence> fences_;
  Fence highest_fence_;
  bool knows_all_grants_ = false;
  bool expects_limit_ = false;
  std::uint64_t promotions_ = 0;
  Fence lost_through_;  // the last fence before the standby took over
  std::map<JobId, store::RunGrant> exclusive_grants_;
  std::map<store::RunGrant, Instant> held_until_;
  std::map<store::RunGrant, Instant> stop_by_;
  std::optional<Instant> on_time_from_;
  std::map<core::RunRef, Fence> succeeded_;
  std::map<core::RunRef, std::size_t> retries_;
  std::map<std::pair<PartitionNo, Epoch>, Incarnation> writers_;
};

}  // namespace belfry::sim
