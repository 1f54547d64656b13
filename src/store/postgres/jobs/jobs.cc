#include "core/overlap.h"
#include "store/common/change_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/calendars.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/jobs/job_writes.h"
#include "store/postgres/sql.h"

#include <fmt/format.h>

namespace belfry::store::postgres {
namespace {

Error no_such_job() {
  return {.code = Errc::kNotFound, .message = "there is no such job"};
}

// Adds what a row says of a partition.
void read_into(PartitionJobs& jobs, Row& row) {
  jobs.decided_through = row.instant();
  jobs.version = JobsVersion(to_unsigned(row.number()));
  // A partition without jobs is one row with nothing beside it.
  if (!row.next_is_null()) jobs.jobs.push_back(read_job(row));
}

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
  if (job.status == core::JobStatus::kDeleted) return fail(no_such_job());
  if (change.if_revision && *change.if_revision != job.revision) {
    return fail({.code = Errc::kConflict,
                 .message = fmt::format("the job is at revision {} now", job.revision),
                 .field = "revision"});
  }
  return job;
}

}  // namespace

Result<PartitionJobs> PostgresStore::load_partition(PartitionNo partition) {
  BELFRY_TRY(reply, decisions_.read(kLoadPartition, Params().integer(partition.value())));
  if (reply.empty()) return fail(Errc::kNotFound, "there is no such partition");
  PartitionJobs jobs;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    read_into(jobs, row);
  }
  return jobs;
}

Result<std::vector<std::optional<PartitionJobs>>> PostgresStore::load_changes(
    std::span<const KnownJobs> known) {
  std::vector<std::int64_t> partitions;
  std::vector<std::int64_t> versions;
  for (const KnownJobs& asked : known) {
    partitions.push_back(asked.partition.value());
    versions.push_back(to_bigint(asked.version.value()));
  }
  BELFRY_TRY(reply, decisions_.read(kLoadChanges, Params().integers(partitions).bigints(versions)));
  std::vector<std::optional<PartitionJobs>> changes(known.size());
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    auto& changed = changes.at(static_cast<std::size_t>(row.number() - 1));
    if (!changed) changed.emplace();
    read_into(*changed, row);
  }
  return changes;
}

Result<JobRow> PostgresStore::change_job(const JobChange& change, const Settle& settle) {
  JobEdit edit{.change = change};
  const auto apply = [&](Transaction& transaction) -> Status {
    const PartitionNo number = partition_of(change.job);
    BELFRY_TRY(partitions, lock_partitions(transaction, now(), {number}));
    if (partitions.empty()) return fail(no_such_job());
    BELFRY_TRY(before, read_for_change(transaction, change));
    edit.before = std::move(before);
    edit.after = changed(edit.before, change);
    BELFRY_CHECK(settle_ticks(transaction, {&edit, 1}, partitions, settle));
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
    const JobRow* const begun = job;
    return settle_starts(transaction, now(), {&begun, 1}, settle);
  };
  BELFRY_CHECK(database_.transaction(apply));
  if (change.reschedules) hints_.box().add_changed({&edit.after.id, 1});
  hints_.box().add_events();
  return std::move(edit.after);
}

Result<JobRow> PostgresStore::find_job(JobId job) {
  BELFRY_TRY(reply, database_.read(kFindJob, Params().bigint(to_bigint(job.value()))));
  if (reply.empty()) return fail(no_such_job());
  return read_whole_job(reply.row(0));
}

Result<JobRow> PostgresStore::find_job(TenantId tenant, const std::string& name) {
  BELFRY_TRY(reply,
             database_.read(kFindJobByName, Params().bigint(to_bigint(tenant.value())).text(name)));
  if (reply.empty()) return fail(no_such_job());
  return read_whole_job(reply.row(0));
}

}  // namespace belfry::store::postgres
