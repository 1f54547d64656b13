#include "store/common/change_rules.h"
#include "store/common/job_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/calendars.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/jobs/job_writes.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

Result<JobRow> read_for_change(Transaction& transaction, const JobStore::JobChange& change) {
  std::optional<std::string> labels;
  if (change.definition) labels = change.definition->labels;
  BELFRY_TRY(reply,
             transaction.run(kJobToChange,
                             Params().bigint(to_bigint(change.job.value())).maybe_text(labels)));
  if (reply.empty()) return fail(no_such_job());
  Row row = reply.row(0);
  const bool same_labels = row.boolean();
  JobRow job = read_whole_job(row);
  if (same_labels && labels) job.definition.labels = *std::move(labels);
  BELFRY_CHECK(check_change(job, change));
  return job;
}

}  // namespace

Result<ChangedJob> PostgresStore::change_job(const JobChange& change) {
  JobEdit edit{.change = change};
  Settler settler(zones_);
  const auto apply = [&](Transaction& transaction) -> Status {
    const PartitionNo number = partition_of(change.job);
    BELFRY_TRY(partitions, lock_partitions(transaction, now(), {number}));
    if (partitions.empty()) return fail(no_such_job());
    BELFRY_TRY(before, read_for_change(transaction, change));
    edit.before = std::move(before);
    edit.after = changed(edit.before, change);
    BELFRY_CHECK(settle_ticks(transaction, {&edit, 1}, partitions, settler));
    if (change.reschedules) {
      BELFRY_CHECK(follow_calendar(transaction, edit.before, edit.after));
    }
    const Instant at = partitions.at(number).now;
    edit.after.updated_at = at;
    Status updated = update_jobs(transaction, at, {&edit, 1});
    if (!updated && updated.error().code == Errc::kConflict) {
      return fail(name_taken(edit.after.definition.name));
    }
    if (!updated || !change.reschedules) return updated;
    JobRow* const job = &edit.after;
    BELFRY_CHECK(announce_jobs(transaction, at, {&job, 1}));
    if (!may_begin_late(&edit.before, edit.after)) return {};
    const BegunJob begun{.job = job, .settled = &edit.settled};
    return settle_starts(transaction, now(), {&begun, 1}, settler);
  };
  BELFRY_CHECK(database_.transaction(apply));
  if (change.reschedules) hints_.box().add_changed({&edit.after.id, 1});
  hints_.box().add_touched(edit.after.id, keys_of_runs(edit.settled.fates));
  hints_.box().add_events();
  return ChangedJob{.job = std::move(edit.after), .settled = std::move(edit.settled)};
}

}  // namespace belfry::store::postgres
