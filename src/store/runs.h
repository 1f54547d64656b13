#pragma once

#include "base/heartbeat.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/backfill.h"
#include "core/book/live_run.h"
#include "core/job_type.h"
#include "core/run.h"
#include "store/author.h"

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Runs while they live: asked for, handed out, held and ended.
namespace belfry::store {

// A worker that is to have runs.
struct Taker {
  std::string worker;
  Duration lease = std::chrono::seconds(30);
  Incarnation holder = {};  // the node, if it does the work itself: its work ends with it
  RegionNo region = {};     // where it works
};

// Who is to have which runs.
struct GrantRequest {
  struct Wanted {
    core::RunRef run;  // each once
    TenantId tenant;
    std::size_t taker = 0;  // its index among the takers
  };
  std::vector<Taker> takers;
  std::vector<Wanted> runs;  // the first ones first, where a limit has no room for all
  std::uint64_t claim = 0;   // any number, by which to know these grants again
};

// Runs of other nodes' partitions.
struct Elsewhere {
  PartitionNo first;             // where to begin
  std::vector<PartitionNo> but;  // not of these
  std::vector<std::string> queues;
  std::optional<TenantId> tenant;  // only this one's
  RegionNo region = {};            // that workers of this region may have
  std::size_t most = 0;
};

// A tenant with a weight other than 1, or with a limit.
struct TenantShare {
  TenantId tenant;
  std::int32_t weight = 1;
  std::int32_t max_in_flight = 0;
};

// A job type that has limits.
struct LimitedType {
  TenantId tenant;
  std::string name;
  core::TypeLimits limits;
};

// A run handed to a worker, under a fence.
struct ClaimedRun {
  std::size_t taker = 0;  // its index among the request's takers
  core::RunRef run;
  TenantId tenant;
  std::string job_name;
  std::string job_type;
  Fence fence;
  AttemptNo attempt;
  Instant scheduled_for;
  Instant due;  // of a first attempt: when it was to start, its tick or when its calendar opened
  Instant lease_until;
  Instant deadline;  // of the attempt
  std::int64_t stands_for = 1;
  std::string target;   // JSON
  std::string payload;  // JSON
};

using core::RunGrant;

// What deciding the end of an attempt needs to know. Facts of a grant do not change while it holds.
struct AttemptFacts {
  RunGrant grant;
  AttemptNo attempt;
  std::int32_t max_attempts = 0;
  Duration retry_base{};
  Duration retry_cap{};
  bool cancel_requested = false;
  bool timed_out = false;  // past its deadline
};

// How an attempt ended and what becomes of the run. Applied only if the grant still holds, so a
// repeated call, or one that lost a race, changes nothing and is answered with false.
struct AttemptEnd {
  RunGrant grant;
  core::AttemptOutcome outcome{};
  core::RunState next{};         // kRetrying, or an end
  std::optional<Duration> wait;  // before the next attempt, with kRetrying
  std::string result;            // JSON; empty: none
  std::string error;
  bool only_if_expired = false;  // the reaper's: its time must be over, or its holder gone
  core::DeadReason reason = core::DeadReason::kNone;  // with kDead
};

// What a worker said of an attempt that had ended without it.
struct LateReport {
  RunGrant grant;
  std::string said;
};

// What became of a tick that a backfill named, or would become of it.
enum class BackfillFate : std::uint8_t {
  kCreated,
  kExists,     // has a run already, as far as the history reaches
  kUndecided,  // is left to the schedule
};

// One line of a job's history, live runs included.
struct RunRow {
  core::RunRef run;
  core::RunState state{};
  core::RunOrigin origin{};
  Instant scheduled_for;
  Instant decided_at;
  std::optional<Instant> started_at;  // of the last attempt
  std::optional<Instant> finished_at;
  std::uint32_t attempts = 0;
  Fence fence;
  std::uint32_t revision = 0;
  std::int64_t stands_for = 1;
  Epoch epoch;
  Incarnation node;
  std::string worker;
  std::string result;
  std::string error;
  // Only list_runs, ledger and find_run fill in the rest.
  TenantId tenant = {};
  std::string job_name = {};
  std::string job_type = {};
  std::int32_t max_attempts = 0;
  std::optional<Instant> due_at = {};       // of a live run: when it may be claimed
  std::optional<Instant> lease_until = {};  // of a running one, like its attempt's deadline
  std::optional<Instant> deadline = {};
  bool cancel_requested = false;
  core::DeadReason reason = core::DeadReason::kNone;
  std::string payload = {};  // JSON; by find_run only
};

class RunStore {
 public:
  virtual ~RunStore() = default;

  // Hands out runs that wait and are due. The rows decide: a run that is over or in somebody's
  // hands, that may not run beside another one of its job or not in its taker's region, or for
  // which its tenant or its type has no room, is not granted and is missing in the answer. After a
  // lost reply, the claim's number tells which runs it got.
  virtual Result<std::vector<ClaimedRun>> grant(const GrantRequest& request) = 0;

  // Live runs, for core::RunBook: all of some partitions; those among the asked that are live; and
  // some that wait and are due elsewhere, without order.
  virtual Result<std::vector<core::LiveRun>> read_live(std::span<const PartitionNo> partitions) = 0;
  virtual Result<std::vector<core::LiveRun>> find_live(std::span<const core::RunRef> asked) = 0;
  virtual Result<std::vector<core::LiveRun>> find_waiting(const Elsewhere& elsewhere) = 0;

  // All tenants that do not have the default share.
  virtual Result<std::vector<TenantShare>> unusual_tenants() = 0;
  // All job types that have limits.
  virtual Result<std::vector<LimitedType>> limited_types() = 0;

  // Prolongs leases. Answers in the order asked; repeating is harmless.
  virtual Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const RunGrant> grants,
                                                         Duration lease) = 0;

  // Facts of those grants that still hold, for deciding how to end their attempts.
  virtual Result<std::vector<AttemptFacts>> facts_of(std::span<const RunGrant> grants) = 0;

  // Ends attempts; true for each whose grant still held. After a lost reply a repeated call answers
  // false for those that were applied: the caller reports success only for what it knows.
  virtual Result<std::vector<bool>> end_attempts(std::span<const AttemptEnd> ends) = 0;

  // How the attempts under these fences ended, in the order asked; none where one has not. After a
  // lost reply this tells whether an end was written.
  virtual Result<std::vector<std::optional<core::AttemptOutcome>>> outcomes_of(
      std::span<const RunGrant> grants) = 0;

  // Adds what was said too late to the records of these attempts, once each. Attempts without a
  // record of the last day are left out.
  virtual Status note_late(std::span<const LateReport> reports) = 0;

  // Takes back grants whose work was not begun: the runs wait as before, no attempt is used up, and
  // their fences are never used again. With a `wait` they are due only after it, and count as
  // retrying. Grants that do not hold, or whose run is to be cancelled, stay as they are; their
  // leases end. Repeating is harmless.
  virtual Status return_runs(std::span<const RunGrant> grants, Duration wait) = 0;
  Status return_runs(std::span<const RunGrant> grants) { return return_runs(grants, {}); }

  // A run without a tick, due now. `key` makes it idempotent: the same key is the same run.
  struct Trigger {
    JobId job;
    core::RunKey key;
    core::RunOrigin origin = core::RunOrigin::kManual;
    std::optional<Tick> tick;            // the tick a backfill stands for; now otherwise
    std::optional<std::string> payload;  // JSON, instead of the job's
    Author author = {};
  };
  virtual Result<RunRow> trigger(const Trigger& trigger) = 0;

  // Runs for past ticks, in line, under the ids the ticks give them; a tick that has a run keeps
  // it. kNotFound when there is no such job. Answers in the order asked, the ticks being ascending;
  // repeating makes nothing twice. A dry run answers the same and writes nothing.
  struct Backfill {
    JobId job;
    std::vector<core::BackfillTick> ticks;
    bool dry_run = false;
    Author author = {};
  };
  virtual Result<std::vector<BackfillFate>> backfill(const Backfill& backfill) = 0;

  // Runs a past run again. One that did not succeed is live again under its own id, with new
  // attempts: its work was not done, and receivers know the id. One that succeeded is left alone,
  // and a new run (kRetry) works on the same payload; `fresh` is its key. A run that is not over is
  // returned as it is, and so is one that has the fresh key already: repeating is harmless.
  // kNotFound when there is no such run, or its history was dropped. kForbidden: the job runs a
  // command today, the run's payload was not made for one, and may_exec is false (check_may_feed).
  struct Retry {
    core::RunRef run;
    core::RunKey fresh;
    bool may_exec = true;  // as a Registration has it
    Author author = {};
  };
  virtual Result<RunRow> retry_run(const Retry& wanted) = 0;
  Result<RunRow> retry_run(const core::RunRef& run, core::RunKey fresh) {
    return retry_run({.run = run, .fresh = fresh});
  }

  // Ends waiting runs that nobody has started in time as dead (kNotStarted). Those that were
  // started, or whose time is not over, stay as they are; returns the others.
  virtual Result<std::vector<core::RunRef>> give_up(std::span<const core::RunRef> runs) = 0;

  // Takes a running run from its worker and ends it: as cancelled if that was asked for, otherwise
  // as dead (kUnstuck). False when it is not running.
  virtual Result<bool> unstick_run(const core::RunRef& run, const std::string& note,
                                   const Author& author) = 0;

  // Cancels a run: a waiting one ends at once, a running one is told at its next heartbeat, and
  // has its job's `stop_within` to stop. False when the run is not live any more.
  virtual Result<bool> cancel_run(const core::RunRef& run, const Author& author) = 0;
  Result<bool> cancel_run(const core::RunRef& run) { return cancel_run(run, {}); }
};

}  // namespace belfry::store
