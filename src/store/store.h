#pragma once

#include "base/result.h"
#include "core/backfill.h"
#include "store/access.h"
#include "store/calendars.h"
#include "store/events.h"
#include "store/listing.h"
#include "store/overview.h"
#include "store/past.h"
#include "store/registration.h"
#include "store/rows.h"
#include "store/run_logs.h"
#include "store/tenants.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

// The named transactions: every state change of the system is one of these functions. Each is
// atomic. Errors, besides what a function says itself:
//   kUnavailable      nothing was changed; try again later
//   kUnknownOutcome   the reply was lost: all of it happened, or nothing; what a second call does
//   is
//                     said at each function
// Times are the store's own ("now" is the database clock); callers give durations.
//
// An implementation may be called from several threads at once. docs/internals/protocol.md argues
// why these functions together lose no tick and double none.
namespace belfry::store {

// Who owns which partition.
class OwnershipStore {
 public:
  virtual ~OwnershipStore() = default;

  // The database clock.
  virtual Result<Instant> clock() = 0;

  struct Node {
    Incarnation incarnation;
    std::string name;
    RegionNo region;
  };
  struct LiveNode {
    Incarnation incarnation;
    std::string name;
    std::size_t partitions = 0;
  };
  struct Membership {
    Instant now;
    std::vector<LiveNode> nodes;       // of the region, alive, the caller included; by incarnation
    std::vector<OwnedPartition> mine;  // what the store says the caller owns
    std::size_t orphans = 0;           // of the region: without an owner, or whose owner is dead
  };

  // Announces a node, or prolongs its lease, and tells how things stand. Repeating is harmless.
  virtual Result<Membership> renew(const Node& node, Duration ttl) = 0;

  // Takes up to `most` orphans of the region; each gets a new epoch. If the reply is lost, renew
  // tells what was taken.
  virtual Result<std::vector<OwnedPartition>> acquire(const Node& node, std::size_t most) = 0;

  // Gives partitions up, where the caller still owns them under that epoch.
  struct Holding {
    PartitionNo partition;
    Epoch epoch;
  };
  virtual Status release(const Node& node, std::span<const Holding> holdings) = 0;

  // Ends the node's lease, so that others take over what it owns; until they have, it may go on
  // deciding under its epochs. Nothing ticks late because a node is told to stop.
  virtual Status retire(const Node& node) = 0;

  // Ends the node's lease and gives up all it still owns, the leader's lease included.
  virtual Status leave(const Node& node) = 0;

  // The cluster's chores are done by whoever holds this. Returns the term, or kConflict when
  // somebody else holds the lease. Repeating by the holder prolongs it under the same term.
  virtual Result<std::uint64_t> lead(const Node& node, Duration ttl) = 0;
};

// What the ticks of a partition become.
class DecisionStore {
 public:
  virtual ~DecisionStore() = default;

  // All jobs of a partition that can still tick, with the version and cursor of the same moment.
  virtual Result<PartitionJobs> load_partition(PartitionNo partition) = 0;

  // For each partition the jobs that changed after the known version, as they are now. Nothing when
  // the store no longer knows all changes since then: load the partition instead.
  virtual Result<std::vector<std::optional<PartitionJobs>>> load_changes(
      std::span<const KnownJobs> known) = 0;

  // Raises each partition's cursor from `from` to `to` and writes the fates of the ticks between,
  // for those partitions whose epoch, version and cursor are as given; the others are left alone
  // and told why. No tick is decided before its time: `to` must not lie ahead of the database's
  // clock. All of it in one transaction. A repeated call finds the cursor at `to` under its
  // own epoch and answers kDecided without writing anything.
  virtual Result<DecideResult> decide(const Incarnation& node,
                                      std::span<const PartitionDecision> partitions) = 0;

  // Gives jobs without a tick left the status kCompleted, where the partition's epoch and version
  // are as given: a change that is not known here may have given them new ones. Those that stand
  // still by somebody's hand keep their status. This is no revision, and nobody has to be told,
  // because no tick depends on it. Answers in the order asked (kDecided, kDeposed, kOutdated);
  // repeating is harmless.
  virtual Result<std::vector<DecideOutcome>> complete_jobs(const Incarnation& node,
                                                           std::span<const EndedJobs> ended) = 0;
};

// The definitions.
class JobStore {
 public:
  virtual ~JobStore() = default;

  using NewJob = store::NewJob;

  // What a change has to do with ticks of the old revision that are due but not decided yet:
  // computed by the caller's rules, inside the transaction, from what the store says.
  struct ChangeFacts {
    JobRow job;  // before the change; if it `begins`, after it
    Instant decided_through;
    Instant now;
    // Asked a second time, of a definition that begins here and has one instant only: if that was
    // over before the definition took effect, nobody but this change can decide it.
    bool begins = false;
  };
  using Settle = std::function<Decisions(const ChangeFacts&)>;

  // Many requests in one transaction. Each is all or nothing by itself and has its own answer, with
  // its jobs in the order asked, so that requests of strangers can share a commit. Its errors:
  //   kConflict   a name is taken or given twice (field: the name), or the idempotency key was used
  //               for another request (field: idempotency_key)
  //   kNotFound   no such tenant, or no such region
  //   kQuotaExceeded   a tenant would have more than its max_jobs; who creates at the same moment
  //   is
  //               not seen
  // A replaced job follows the rules of change_job; only if its schedule, its misfire policy or its
  // status changes are ticks settled and effective_from moved. Repeated after a lost reply, a
  // request with a key answers kRepeated; without one it answers kConflict where it made jobs, and
  // kUnchanged where it replaced them.
  using Registered = Result<std::vector<RegisteredJob>>;
  virtual Result<std::vector<Registered>> register_all(std::span<const Registration> requests,
                                                       const Settle& settle) = 0;

  // What an earlier request under the same key led to, all kRepeated; nothing if there was none.
  // kConflict: it was another request.
  virtual Result<std::optional<std::vector<RegisteredJob>>> find_request(
      const IdempotencyKey& idempotency) = 0;

  // One request.
  Registered register_jobs(const Registration& request, const Settle& settle);
  // On nobody's behalf, and only if all names are free.
  Result<std::vector<JobRow>> create_jobs(std::span<const NewJob> jobs);

  struct JobChange {
    JobId job;
    std::optional<std::uint32_t> if_revision;       // kConflict when it is another
    std::optional<core::JobDefinition> definition;  // a new revision
    std::optional<core::JobStatus> status;
    std::optional<Instant> paused_until;  // with kPaused
    std::string pause_note;               // with kPaused: why; the author is kept as `paused_by`
    bool reschedules = true;  // schedule or state changes: settle, and move effective_from
    Author author = {};
  };
  // kNotFound when there is no such job, or it is deleted. Repeating a change that names
  // `if_revision` after a lost reply answers kConflict: read the job to see. A new schedule makes a
  // completed job active again.
  virtual Result<JobRow> change_job(const JobChange& change, const Settle& settle) = 0;

  virtual Result<JobRow> find_job(JobId job) = 0;
  virtual Result<JobRow> find_job(TenantId tenant, const std::string& name) = 0;
};

// Executing.
class RunStore {
 public:
  virtual ~RunStore() = default;

  // Hands out due runs: round-robin over the tenants that have any, by weight and under their
  // in-flight limits, oldest first within a tenant. The runs are ordered by taker. If the reply is
  // lost they come back when their leases end. Zero runs may also mean that others held the rows
  // just then.
  virtual Result<std::vector<ClaimedRun>> claim(const ClaimRequest& request) = 0;

  // Prolongs leases. Answers in the order asked; repeating is harmless.
  virtual Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const RunGrant> grants,
                                                         Duration lease) = 0;

  // Facts of those grants that still hold, for deciding how to end their attempts.
  virtual Result<std::vector<AttemptFacts>> facts_of(std::span<const RunGrant> grants) = 0;

  // Grants whose lease or deadline is over.
  virtual Result<std::vector<AttemptFacts>> find_expired(std::size_t most) = 0;

  // Ends attempts; true for each whose grant still held. After a lost reply a repeated call answers
  // false for those that were applied: the caller reports success only for what it knows.
  virtual Result<std::vector<bool>> end_attempts(std::span<const AttemptEnd> ends) = 0;

  // Takes back grants of which nothing was begun: the runs wait as before, no attempt is used up,
  // and their fences are never used again. With a `wait` they are due only after it, and count as
  // retrying. Grants that do not hold, or whose run is to be cancelled,
  // stay as they are; their leases end. Repeating is harmless.
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

  // Runs a run again that is over. One that did not succeed is live again under its own id, with
  // new attempts: its work was not done, and receivers know the id. One that did is left alone, and
  // a new run (kRetry) works on the same payload; `fresh` is its key. A run that is not over is
  // returned as it is, and so is one that has the fresh key already: repeating is harmless.
  // kNotFound when there is no such run, or none any more.
  virtual Result<RunRow> retry_run(const core::RunRef& run, core::RunKey fresh,
                                   const Author& author) = 0;
  Result<RunRow> retry_run(const core::RunRef& run, core::RunKey fresh) {
    return retry_run(run, fresh, {});
  }

  // Cancels a run: a waiting one ends at once, a running one is told at its next heartbeat. False
  // when the run is not live any more.
  virtual Result<bool> cancel_run(const core::RunRef& run, const Author& author) = 0;
  Result<bool> cancel_run(const core::RunRef& run) { return cancel_run(run, {}); }

  // When the next waiting run of any job type becomes due, if it is not due yet.
  virtual Result<std::optional<Instant>> next_due() = 0;
};

// Reading what happened.
class LedgerStore {
 public:
  virtual ~LedgerStore() = default;

  virtual Result<std::vector<RunRow>> runs_of(JobId job) = 0;    // by scheduled_for
  virtual Result<std::vector<SkipRow>> skips_of(JobId job) = 0;  // by first
  virtual Result<std::vector<AttemptRow>> attempts_of(const core::RunRef& run) = 0;

  // How the attempts under these fences ended, in the order asked; nothing where none has. What
  // tells, after a lost reply, whether an end was written.
  virtual Result<std::vector<std::optional<core::AttemptOutcome>>> outcomes_of(
      std::span<const RunGrant> grants) = 0;
};

// Keeping house; the leader's work.
class ChoreStore {
 public:
  virtual ~ChoreStore() = default;

  // The number of a region, made on first mention together with its partitions.
  virtual Result<RegionNo> put_region(const std::string& name) = 0;
  struct Region {
    RegionNo no;
    std::string name;
  };
  virtual Result<std::vector<Region>> list_regions() = 0;

  // Makes room ahead for history and drops what is older than `retention`. Idempotent.
  virtual Status keep_history(Duration retention) = 0;

  // Skips have no order of age: a range grows for as long as its job is skipped. So they are looked
  // at in turn, `most` of them after `after`, and those that ended before the retention are
  // dropped. Returns the last one looked at, to go on after; nothing when there are no more.
  struct SkipCursor {
    JobId job;
    Tick first = Tick(Instant());
  };
  virtual Result<std::optional<SkipCursor>> sweep_skips(const SkipCursor& after, Duration retention,
                                                        std::size_t most) = 0;
};

// What changed, as a stream. Events are kept for an hour.
class EventStore {
 public:
  virtual ~EventStore() = default;

  // The oldest events after `after`, at most `most`, in their order. Complete up to the last one
  // returned: nothing will ever appear before it.
  virtual Result<std::vector<Event>> events_after(const EventId& after, std::size_t most) = 0;

  // Where a reader that wants only what is new begins.
  virtual Result<EventId> last_event() = 0;
};

// Looking sooner than one would by oneself. Nothing depends on a hint: each may be lost, late or
// false, and whoever gets none finds out by the next renewal or claim.
class HintStore {
 public:
  virtual ~HintStore() = default;

  // Waits until there are hints, but at most `longest`. For one thread, which also passes on to
  // other processes what this one has done: without it they get no hints from here.
  virtual Result<Hints> await_hints(Duration longest) = 0;
  // Ends a wait, now or the next one.
  virtual void interrupt_hints() = 0;
};

class Store : public OwnershipStore,
              public DecisionStore,
              public JobStore,
              public RunStore,
              public LedgerStore,
              public RunLogStore,
              public ChoreStore,
              public ListingStore,
              public PastStore,
              public OverviewStore,
              public TenantStore,
              public AccessStore,
              public CalendarStore,
              public EventStore,
              public HintStore {};

}  // namespace belfry::store
