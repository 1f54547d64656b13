#pragma once

#include "base/result.h"
#include "core/book/live_run.h"
#include "core/misfire.h"
#include "core/reason.h"
#include "core/terms.h"
#include "store/jobs.h"
#include "store/ownership.h"
#include "store/runs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// What the ticks of a partition become.
namespace belfry::store {

// All jobs of a partition.
struct PartitionJobs {
  Instant decided_through;
  JobsVersion version;
  // Without target, payload, labels and description: an owner has no use for them, and no room for
  // those of ten million jobs.
  std::vector<JobRow> jobs;
};

// A job as far as a timetable needs it, if its terms say the rest.
struct BriefJob {
  JobId id;
  Instant effective_from;
  core::Terms terms;
};

// The jobs of a partition, as little of them as will do: all of them, or those that changed since
// some version.
struct BriefPartition {
  Instant decided_through;
  JobsVersion version;
  Era era;                      // not told with changes
  std::vector<BriefJob> brief;  // active ones
  std::vector<JobRow> whole;    // those that are paused, or have no terms; as in PartitionJobs
  std::vector<JobId> gone;      // with changes: those that cannot tick any more
};

// What an owner has read of a partition's jobs.
struct KnownJobs {
  PartitionNo partition;
  JobsVersion version;
};

// A tick that becomes a run, unless too many runs of the job are live: then the same transaction
// skips it as kOverlap. With `due`, later than the tick, the run waits in line and does not count
// as live until it starts; it is written however many are live, unless it stands in for others.
struct RunDecision {
  JobId job;
  Tick tick;
  std::int64_t stands_for = 1;  // how many missed ticks this one stands for, itself included
  std::optional<Instant> due;
  bool stands_in = false;  // core::RunTick
  bool delayed = false;    // the same
  // A worker that waits for runs of a queue. If the run belongs there and may start at once, it is
  // written as granted to that worker; otherwise it waits like any other. For the call only.
  const Taker* taker = nullptr;
  const std::string* queue = nullptr;
  std::uint64_t claim = 0;  // as in GrantRequest, written with the grant
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

// What has become of ticks of a job, added to the rest.
void append(Decisions& decisions, JobId job, const core::Fates& fates);

// The fate of all ticks of a partition in (from, to].
struct PartitionDecision {
  PartitionNo partition;
  Epoch epoch;
  JobsVersion version;
  Instant from;
  Instant to;
  Decisions decisions;
};

// Jobs of a partition that have no tick left and whose ticks are all decided.
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
  kEarly,     // `to` is too far in the future of the database's clock: wait
};

struct PartitionOutcome {
  PartitionNo partition;
  DecideOutcome outcome{};
  Instant decided_through;  // as it is now
  JobsVersion version;
};

struct DecideResult {
  std::vector<PartitionOutcome> partitions;  // in the order asked
  std::vector<core::LiveRun> runs;           // really inserted; none by a call that repeats another
  std::vector<ClaimedRun> granted;           // of those, the ones that were granted at once
  std::vector<core::RunRef> told;            // running ones that were told to stop, for new ones
  std::size_t overlaps = 0;                  // turned into skips
  Instant decided_at;                        // the store's clock
  // Where the call waited for `to`: how long before it everything else was done; less than nothing
  // if that was after it.
  std::optional<Duration> spare;
};

class DecisionStore {
 public:
  virtual ~DecisionStore() = default;

  // All jobs of a partition that can still tick, with the version and cursor of the same moment.
  virtual Result<PartitionJobs> load_partition(PartitionNo partition) = 0;

  // The same in brief: a fraction of the cost. Cursor and version may be older than the jobs, so a
  // job that changed meanwhile may be missing, doubled or as it was before; load_changes after this
  // version has it.
  virtual Result<BriefPartition> load_brief(PartitionNo partition) = 0;

  // These jobs as they are now, as far as PartitionJobs has them: in any status, in any order, and
  // without those that do not exist.
  virtual Result<std::vector<JobRow>> load_jobs(std::span<const JobId> jobs) = 0;

  // For each partition the jobs that changed after the known version, as they are now. One that
  // changes meanwhile may be as it is after that, and comes again with the next changes. Nothing
  // when the store no longer knows all changes since then: load the partition instead.
  virtual Result<std::vector<std::optional<BriefPartition>>> load_changes(
      std::span<const KnownJobs> known) = 0;

  // Raises each partition's cursor from `from` to `to` and writes the fates of the ticks between,
  // for those partitions whose epoch, version and cursor are as given. The others stay as they are,
  // and their outcomes say why. No tick is decided before its time: where `to` lies ahead of the
  // database's clock by no more than patience(), the transaction ends at `to`; what lies farther
  // ahead is kEarly. All of it is one transaction. A repeated call finds the cursor at `to` under
  // its own epoch and answers kDecided without writing anything.
  virtual Result<DecideResult> decide(const Incarnation& node,
                                      std::span<const PartitionDecision> partitions) = 0;
  virtual Duration patience() const = 0;

  // Gives jobs without a tick left the status kCompleted, where the partition's epoch and version
  // are as given: a change that the caller does not know of may have given them new ticks. Jobs
  // that somebody paused or cancelled keep their status. This makes no revision, and no owner has
  // to learn of it, because no tick depends on it. Answers in the order asked (kDecided, kDeposed,
  // kOutdated); repeating is harmless.
  virtual Result<std::vector<DecideOutcome>> complete_jobs(const Incarnation& node,
                                                           std::span<const EndedJobs> ended) = 0;
};

}  // namespace belfry::store
