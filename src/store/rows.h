#pragma once

#include "base/heartbeat.h"
#include "base/ids.h"
#include "base/time.h"
#include "core/job.h"
#include "core/reason.h"
#include "core/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What goes into the store and comes out of it, as plain values.
namespace belfry::store {

using JobsVersion = Strong<struct JobsVersionTag, std::uint64_t>;

// ---- Jobs
// -----------------------------------------------------------------------------------------

// A job as the store keeps it.
struct JobRow {
  JobId id;
  TenantId tenant;
  std::uint32_t revision = 1;
  core::JobStatus status = core::JobStatus::kActive;
  Instant effective_from;               // ticks after this belong to this revision
  std::optional<Instant> paused_until;  // with kPaused: resumes by itself
  core::JobDefinition definition;
  std::uint32_t calendar_revision = 0;  // of the rules in definition.schedule.calendar
  Instant created_at = {};              // these two only where a person asked for the job
  Instant updated_at = {};
  std::string paused_by;  // with kPaused: who, if somebody did
  std::string pause_note;
};

// ---- Partitions
// -----------------------------------------------------------------------------------

// A partition as its new owner finds it.
struct OwnedPartition {
  PartitionNo partition;
  Epoch epoch;
  Instant decided_through;
  JobsVersion version;
  bool failover = false;  // by acquire: its last owner did not give it up, but was gone
};

// The jobs of a partition: all of them, or those that changed since a version.
struct PartitionJobs {
  Instant decided_through;
  JobsVersion version;
  // Without target, payload, labels and description: an owner has no use for them, and at ten
  // million jobs no room. Deleted ones included when asked for changes.
  std::vector<JobRow> jobs;
};

// What an owner has read of a partition's jobs.
struct KnownJobs {
  PartitionNo partition;
  JobsVersion version;
};

// ---- Hints
// ----------------------------------------------------------------------------------------

// What somebody, in this process or another, has just done and others may want to look at.
struct Hints {
  std::vector<PartitionNo> changed;  // jobs of these; each once
  bool runs = false;                 // runs wait to be claimed
  bool events = false;               // there are events to read

  bool empty() const { return changed.empty() && !runs && !events; }
  friend bool operator==(const Hints&, const Hints&) = default;
};

// ---- Decisions
// ------------------------------------------------------------------------------------

// A tick that becomes a run, unless too many runs of the job are live: then it is skipped as
// kOverlap by the same transaction. With `due`, later than the tick, the run waits in line: it is
// written whatever lives, and until it starts it does not count as live.
struct RunDecision {
  JobId job;
  Tick tick;
  std::int64_t stands_for = 1;  // how many missed ticks this one stands for, itself included
  std::optional<Instant> due;
};

// Ticks [first, last] of a job that get no run.
struct SkipDecision {
  JobId job;
  Tick first;
  Tick last;
  std::int64_t count = 1;
  core::SkipReason reason{};
};

struct Decisions {
  std::vector<RunDecision> runs;    // ascending ticks for each job
  std::vector<SkipDecision> skips;  // disjoint, and disjoint from the runs
};

// The fate of all ticks of a partition in (from, to].
struct PartitionDecision {
  PartitionNo partition;
  Epoch epoch;
  JobsVersion version;
  Instant from;
  Instant to;
  Decisions decisions;
};

// Jobs of a partition that have no tick left: each one's ticks are all decided.
struct EndedJobs {
  PartitionNo partition;
  Epoch epoch;
  JobsVersion version;
  std::vector<JobId> jobs;
};

enum class DecideOutcome : std::uint8_t {
  kDecided,   // also when an earlier call whose reply was lost had already done exactly this
  kDeposed,   // another epoch: drop the partition
  kOutdated,  // jobs changed: read the changes and try again
  kEarly,     // `to` is still in the future of the database's clock: wait
};

struct PartitionOutcome {
  PartitionNo partition;
  DecideOutcome outcome{};
  Instant decided_through;  // as it is now
  JobsVersion version;
};

struct DecideResult {
  std::vector<PartitionOutcome> partitions;  // in the order asked
  std::size_t runs = 0;                      // really inserted
  std::size_t overlaps = 0;                  // turned into skips
  Instant decided_at;                        // the store's clock
};

// ---- Runs
// -----------------------------------------------------------------------------------------

// A worker that takes part in a claim.
struct Taker {
  std::string worker;
  std::size_t max_runs = 1;
  Duration lease = std::chrono::seconds(30);
};

// Runs for several workers at once, all of whom can do these job types (or serve these queues:
// core/queue.h).
struct ClaimRequest {
  std::vector<std::string> job_types;
  std::vector<Taker> takers;       // the first gets as much as it may have, then the second, ...
  std::optional<TenantId> tenant;  // only this tenant's runs
};

constexpr std::size_t max_runs_of(const ClaimRequest& request) {
  std::size_t sum = 0;
  for (const Taker& taker : request.takers) sum += taker.max_runs;
  return sum;
}

// A run handed to a worker, under a fence.
struct ClaimedRun {
  std::size_t taker = 0;  // whose it is, of the request's takers
  core::RunRef run;
  TenantId tenant;
  std::string job_name;
  std::string job_type;
  Fence fence;
  AttemptNo attempt;
  Instant scheduled_for;
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
  bool timed_out = false;  // past its deadline; otherwise its lease ran out
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
  bool only_if_expired = false;  // the reaper's: the lease or deadline must still be over
};

// What became of a tick that a backfill named, or would become of it.
enum class BackfillFate : std::uint8_t {
  kCreated,
  kExists,     // has a run already, as far as the history reaches
  kUndecided,  // is the schedule's own to decide
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
  // The rest is told by list_runs, ledger and find_run only.
  TenantId tenant = {};
  std::string job_name = {};
  std::string job_type = {};
  std::int32_t max_attempts = 0;
  std::optional<Instant> due_at = {};       // of a live run: when it may be claimed
  std::optional<Instant> lease_until = {};  // of a running one, as the deadline of its attempt
  std::optional<Instant> deadline = {};
  bool cancel_requested = false;
  std::string payload = {};  // JSON; by find_run only
};

struct SkipRow {
  JobId job;
  Tick first;
  Tick last;
  std::int64_t count = 1;
  core::SkipReason reason{};
  Epoch epoch;
};

struct AttemptRow {
  core::RunRef run;
  AttemptNo attempt;
  Fence fence;
  core::AttemptOutcome outcome{};
  Instant started_at;
  Instant finished_at;
  std::string worker;
  std::string error;
};

}  // namespace belfry::store
