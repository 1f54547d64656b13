#include "store/job_change.h"
#include "store/sqlite/job_row.h"
#include "store/sqlite/jobs.h"
#include "store/sqlite/partition_row.h"
#include "store/sqlite/sql.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace belfry::store::sqlite {

namespace {

Status insert_job(const Session& session, const JobRow& job) {
  const auto written = write_job(session.db, kInsertJob, job, session.now);
  if (!written) {
    Error error = written.error();
    if (error.code == Errc::kConflict) {
      error.message = "a job named `" + job.definition.name + "` exists already";
      error.field = job.definition.name;
    } else if (error.code == Errc::kNotFound) {
      error.message = "no tenant " + std::to_string(job.tenant.value());
    }
    return fail(std::move(error));
  }
  BELFRY_CHECK(session.db.run(kAddRevision, job.id, job.definition.target, job.definition.payload,
                              session.now));
  return {};
}

// How many jobs each tenant gets in each partition.
using JobCounts = std::map<std::pair<TenantId, PartitionNo>, std::int64_t>;

Status check_quotas(const Session& session, std::span<const JobStore::NewJob> jobs) {
  std::map<TenantId, std::int64_t> added;
  for (const JobStore::NewJob& job : jobs) ++added[job.tenant];
  for (const auto& [tenant, count] : added) {
    std::int64_t existing = 0;
    std::int64_t most = 0;
    const auto read = [&](Row& row) { row.read(existing, most); };
    BELFRY_CHECK(session.db.first(kJobsOfTenant, read, tenant));
    if (most > 0 && existing + count > most) {
      return fail(too_many_jobs(tenant, existing, count, most));
    }
  }
  return {};
}

// The positions of the jobs, those of one partition side by side.
std::vector<std::size_t> by_partition(const std::vector<JobRow>& jobs) {
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return partition_of(jobs[i].id); });
  return order;
}

}  // namespace

// A server does its heavy writes before it locks the partitions; SQLite has one lock for all, so
// here each partition is looked at first and its jobs are right at once.
Result<std::vector<JobRow>> create_jobs(const Session& session,
                                        std::span<const JobStore::NewJob> jobs) {
  BELFRY_CHECK(check_quotas(session, jobs));
  BELFRY_TRY(before, session.db.value<std::uint64_t>(kTakeSerials, jobs.size()));
  std::vector<JobRow> rows;
  rows.reserve(jobs.size());
  for (const JobStore::NewJob& job : jobs) {
    const JobId id = make_job_id(before + rows.size() + 1, job.region);
    rows.push_back({.id = id, .tenant = job.tenant, .definition = job.definition});
  }
  JobsVersion version;
  Instant effective_from;
  std::optional<PartitionNo> current;
  JobCounts counts;
  for (const std::size_t i : by_partition(rows)) {
    const PartitionNo partition = partition_of(rows[i].id);
    if (current != partition) {
      BELFRY_TRY(row, read_partition(session, partition));
      effective_from = std::max(session.now, row.decided_through);
      BELFRY_TRY(raised, session.db.value<JobsVersion>(kRaiseJobsVersion, partition));
      version = raised;
      current = partition;
    }
    rows[i].effective_from = effective_from;
    BELFRY_CHECK(insert_job(session, rows[i]));
    BELFRY_CHECK(session.db.run(kAddJobChange, partition, version, rows[i].id, session.now));
    ++counts[{rows[i].tenant, partition}];
  }
  for (const auto& [where, count] : counts) {
    BELFRY_CHECK(session.db.run(kCountJobs, where.first, where.second, count));
  }
  return rows;
}

}  // namespace belfry::store::sqlite
