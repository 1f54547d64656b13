#include "core/overlap.h"
#include "store/job_change.h"
#include "store/postgres/decide.h"
#include "store/postgres/implementation.h"
#include "store/postgres/job_columns.h"
#include "store/postgres/sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace belfry::store::postgres {
namespace {

Error name_taken(const std::string& name) {
  return {.code = Errc::kConflict,
          .message = fmt::format("a job named `{}` exists already", name),
          .field = name};
}

Error no_such_job() {
  return {.code = Errc::kNotFound, .message = "there is no such job"};
}

PartitionJobs read_jobs(const Reply& reply, int columns_before) {
  PartitionJobs result;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    result.decided_through = row.instant();
    result.version = JobsVersion(to_unsigned(row.number()));
    row.skip(columns_before - 2);
    // A partition without jobs is one row with nothing beside it.
    if (!row.next_is_null()) result.jobs.push_back(read_job(row));
  }
  return result;
}

Status give_ids(Transaction& transaction, std::span<const JobStore::NewJob> asked,
                std::span<JobRow> jobs) {
  BELFRY_TRY(serials, transaction.run(kTakeSerials, Params().bigint(to_bigint(asked.size()))));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::uint64_t serial = to_unsigned(serials.row(static_cast<int>(i)).number());
    jobs[i].id = make_job_id(serial, asked[i].region);
  }
  return {};
}

// Looked at before anything is written; what others create at this moment is not seen.
Status check_quotas(Transaction& transaction, std::span<const JobStore::NewJob> jobs) {
  std::map<TenantId, std::int64_t> added;
  for (const JobStore::NewJob& job : jobs) ++added[job.tenant];
  std::vector<std::int64_t> tenants;
  std::vector<std::int64_t> counts;
  for (const auto& [tenant, count] : added) {
    tenants.push_back(to_bigint(tenant.value()));
    counts.push_back(count);
  }
  BELFRY_TRY(reply, transaction.run(kFullTenants, Params().bigints(tenants).bigints(counts)));
  if (reply.empty()) return {};
  Row row = reply.row(0);
  const TenantId tenant(to_unsigned(row.number()));
  const std::int64_t existing = row.number();
  const std::int64_t more = row.number();
  return fail(too_many_jobs(tenant, existing, more, row.number()));
}

// The heavy part, before any partition is locked.
Status insert_jobs(Transaction& transaction, std::optional<Instant> now, std::span<JobRow> jobs) {
  Params params;
  params.instant(now);
  bind_jobs(params, jobs);
  BELFRY_TRY(reply, transaction.run(kInsertJobs, params));
  std::unordered_map<JobId, Instant> inserted;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const JobId id(to_unsigned(row.number()));
    inserted.emplace(id, row.instant());
  }
  for (JobRow& job : jobs) {
    const auto found = inserted.find(job.id);
    if (found == inserted.end()) return fail(name_taken(job.definition.name));
    job.effective_from = found->second;
  }
  return {};
}

// The short part: tells the owners of the partitions.
Status announce_jobs(Transaction& transaction, std::optional<Instant> now, std::span<JobRow> jobs) {
  std::vector<std::int64_t> ids;
  std::vector<std::optional<Instant>> starts;
  std::vector<std::int64_t> tenants;
  for (const JobRow& job : jobs) {
    ids.push_back(to_bigint(job.id.value()));
    starts.emplace_back(job.effective_from);
    tenants.push_back(to_bigint(job.tenant.value()));
  }
  BELFRY_TRY(reply,
             transaction.run(kAnnounceJobs,
                             Params().instant(now).bigints(ids).instants(starts).bigints(tenants)));
  if (static_cast<std::size_t>(reply.size()) != jobs.size()) {
    return fail(Errc::kNotFound, "there is no such region");
  }
  std::unordered_map<JobId, Instant> corrected;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const JobId id(to_unsigned(row.number()));
    if (const auto start = row.maybe_instant()) corrected.emplace(id, *start);
  }
  for (JobRow& job : jobs) {
    if (const auto found = corrected.find(job.id); found != corrected.end()) {
      job.effective_from = found->second;
    }
  }
  return {};
}

// A partition's row as a change finds it, locked.
struct LockedPartition {
  Incarnation owner;
  Epoch epoch;
  Instant decided_through;
  JobsVersion version;
  Instant now;
};

Result<LockedPartition> lock_partition(Transaction& transaction, std::optional<Instant> now,
                                       PartitionNo partition) {
  BELFRY_TRY(reply,
             transaction.run(kLockPartition, Params().instant(now).integer(partition.value())));
  if (reply.empty()) return fail(no_such_job());
  Row row = reply.row(0);
  LockedPartition locked;
  locked.owner = Incarnation(row.bits128());
  locked.epoch = Epoch(to_unsigned(row.number()));
  locked.decided_through = row.instant();
  locked.version = JobsVersion(to_unsigned(row.number()));
  locked.now = row.instant();
  return locked;
}

Result<JobRow> read_for_change(Transaction& transaction, const JobStore::JobChange& change) {
  BELFRY_TRY(reply, transaction.run(kFindJob, Params().bigint(to_bigint(change.job.value()))));
  if (reply.empty()) return fail(no_such_job());
  Row row = reply.row(0);
  JobRow job = read_job(row);
  if (job.status == core::JobStatus::kDeleted) return fail(no_such_job());
  if (change.if_revision && *change.if_revision != job.revision) {
    return fail({.code = Errc::kConflict,
                 .message = fmt::format("the job is at revision {} now", job.revision),
                 .field = "revision"});
  }
  return job;
}

// Decides what was due before the change, as the owner would have done.
Status settle_ticks(Transaction& transaction, const JobRow& job, const LockedPartition& partition,
                    const JobStore::Settle& settle) {
  if (!settle) return {};
  PartitionDecision decision{.partition = partition_of(job.id),
                             .epoch = partition.epoch,
                             .version = partition.version,
                             .from = partition.decided_through,
                             .to = partition.decided_through};
  decision.decisions =
      settle({.job = job, .decided_through = partition.decided_through, .now = partition.now});
  if (decision.decisions.runs.empty() && decision.decisions.skips.empty()) return {};
  BELFRY_TRY(reply, transaction.run(kDecide, decide_params(partition.now, partition.owner,
                                                           DecideMode::kSettle, {&decision, 1})));
  return {};
}

Status write_change(Transaction& transaction, const JobRow& before, const JobRow& after,
                    Instant now, bool reschedules) {
  Params params;
  params.instant(now);
  bind_jobs(params, {&after, 1});
  params.integer(after.revision).smallint(static_cast<std::int64_t>(after.status));
  params.instant(after.effective_from).instant(after.paused_until);
  params.boolean(after.revision != before.revision);
  const auto updated = transaction.run(kUpdateJob, params);
  if (!updated && updated.error().code == Errc::kConflict) {
    return fail(name_taken(after.definition.name));
  }
  if (!updated) return fail(updated.error());
  const Params job = Params().instant(now).bigint(to_bigint(after.id.value()));
  if (after.status == core::JobStatus::kDeleted) {
    BELFRY_TRY(
        uncounted,
        transaction.run(
            kUncountJob,
            Params().bigint(to_bigint(after.id.value())).bigint(to_bigint(after.tenant.value()))));
  }
  if (after.status != before.status && !core::keeps_line(after.status)) {
    BELFRY_TRY(ended, transaction.run(kEndLine, job));
  }
  if (!reschedules) return {};
  BELFRY_TRY(announced, transaction.run(kAnnounceChange, job));
  return {};
}

}  // namespace

Result<PartitionJobs> PostgresStore::load_partition(PartitionNo partition) {
  BELFRY_TRY(reply, database_.read(kLoadPartition, Params().integer(partition.value())));
  if (reply.empty()) return fail(Errc::kNotFound, "there is no such partition");
  return read_jobs(reply, 2);
}

Result<PartitionJobs> PostgresStore::load_changes(PartitionNo partition, JobsVersion since) {
  BELFRY_TRY(reply,
             database_.read(kLoadChanges,
                            Params().integer(partition.value()).bigint(to_bigint(since.value()))));
  if (reply.empty()) return fail(Errc::kNotFound, "there is no such partition");
  Row row = reply.row(0);
  row.skip(1);
  const std::int64_t version = row.number();
  // Each version has at least one row until it is pruned; a gap means some are gone.
  if (row.number() != version - to_bigint(since.value())) {
    return fail(Errc::kConflict, "the changes since then are not known any more");
  }
  return read_jobs(reply, 3);
}

Result<std::vector<JobRow>> PostgresStore::create_jobs(std::span<const NewJob> jobs) {
  std::vector<JobRow> rows;
  for (const NewJob& job : jobs) {
    rows.push_back({.tenant = job.tenant, .definition = job.definition});
  }
  if (rows.empty()) return rows;
  const std::optional<Instant> at = now();
  const auto create = [&](Transaction& transaction) -> Status {
    BELFRY_CHECK(check_quotas(transaction, jobs));
    BELFRY_CHECK(give_ids(transaction, jobs, rows));
    BELFRY_CHECK(insert_jobs(transaction, at, rows));
    return announce_jobs(transaction, at, rows);
  };
  BELFRY_CHECK(database_.transaction(create));
  hints_.box().add_changed(rows);
  return rows;
}

Result<JobRow> PostgresStore::change_job(const JobChange& change, const Settle& settle) {
  JobRow after;
  const auto apply = [&](Transaction& transaction) -> Status {
    BELFRY_TRY(partition, lock_partition(transaction, now(), partition_of(change.job)));
    BELFRY_TRY(before, read_for_change(transaction, change));
    if (change.reschedules) BELFRY_CHECK(settle_ticks(transaction, before, partition, settle));
    after = changed(before, change);
    // Never back, also when the database's clock was: ticks must not change hands twice.
    if (change.reschedules) {
      after.effective_from =
          std::max({partition.now, partition.decided_through, before.effective_from});
    }
    return write_change(transaction, before, after, partition.now, change.reschedules);
  };
  BELFRY_CHECK(database_.transaction(apply));
  if (change.reschedules) hints_.box().add_changed({&after, 1});
  return after;
}

Result<JobRow> PostgresStore::find_job(JobId job) {
  BELFRY_TRY(reply, database_.read(kFindJob, Params().bigint(to_bigint(job.value()))));
  if (reply.empty()) return fail(no_such_job());
  Row row = reply.row(0);
  return read_job(row);
}

Result<JobRow> PostgresStore::find_job(TenantId tenant, const std::string& name) {
  BELFRY_TRY(reply,
             database_.read(kFindJobByName, Params().bigint(to_bigint(tenant.value())).text(name)));
  if (reply.empty()) return fail(no_such_job());
  Row row = reply.row(0);
  return read_job(row);
}

}  // namespace belfry::store::postgres
