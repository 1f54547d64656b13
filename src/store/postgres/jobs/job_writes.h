#pragma once

#include "store/common/settler.h"
#include "store/postgres/jobs/new_jobs.h"
#include "store/postgres/wire/database.h"
#include "store/store.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

// The steps that changes and registrations of jobs are made of.
namespace belfry::store::postgres {

// A partition's row as a change finds it, locked.
struct LockedPartition {
  Incarnation owner;
  Epoch epoch;
  Instant decided_through;
  JobsVersion version;
  Instant now;  // after the lock was waited for
};
Result<std::map<PartitionNo, LockedPartition>> lock_partitions(
    Transaction& transaction, std::optional<Instant> now, const std::set<PartitionNo>& partitions);

// A job, what a change makes of it, and who wants it.
struct JobEdit {
  JobRow before;
  JobRow after;
  JobStore::JobChange change;
  Settled settled = {};  // what it did to ticks of the job
};

// Decides what was due before the changes, as the owners would have done, and sets when the new
// definitions take effect.
Status settle_ticks(Transaction& transaction, std::span<JobEdit> edits,
                    const std::map<PartitionNo, LockedPartition>& partitions, Settler& settler);

// A job whose definition begins, and what was done to its ticks so far.
struct BegunJob {
  const JobRow* job;
  Settled* settled;
};
// Decides the one instant of each of these definitions that was over before it took effect; the
// jobs are written, and their partitions locked.
Status settle_starts(Transaction& transaction, std::optional<Instant> now,
                     std::span<const BegunJob> jobs, Settler& settler);

// Writes the jobs as they are after the changes, with revisions, audit and events. kConflict when a
// job is renamed to a name that is taken.
Status update_jobs(Transaction& transaction, Instant now, std::span<const JobEdit> edits);

// The short part of a change, under the partitions' locks: their owners will see it. Corrects the
// start of a new job whose partition had moved past it. Counts the `fresh` ones for their tenants.
Status announce_jobs(Transaction& transaction, std::optional<Instant> now,
                     std::span<JobRow* const> jobs, const std::unordered_set<JobId>& fresh = {});
// The same in two halves, for new jobs that are written in one round trip.
Statement announcement(std::optional<Instant> now, std::span<JobRow* const> jobs,
                       const std::unordered_set<JobId>& fresh, LetIn let_in);
void take_starts(const Reply& announced, std::span<JobRow* const> jobs);

// Cleans up after jobs that stop: ends their runs in line, and stops counting deleted jobs.
Status stop_jobs(Transaction& transaction, Instant now, std::span<const JobEdit> edits);

}  // namespace belfry::store::postgres
