#include "store/postgres/implementation.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/sql.h"

#include <unordered_map>
#include <utility>

namespace belfry::store::postgres {
namespace {

// Adds what a row says of a partition.
void read_into(PartitionJobs& jobs, Row& row) {
  jobs.decided_through = row.instant();
  jobs.version = JobsVersion(to_unsigned(row.number()));
  // A partition without jobs is one row with nothing beside it.
  if (!row.next_is_null()) jobs.jobs.push_back(read_job(row));
}

BriefJob read_brief(Row row) {
  BriefJob job;
  job.id = JobId(to_unsigned(row.number()));
  job.effective_from = row.instant();
  job.terms = core::Terms(row.bits128());
  return job;
}

}  // namespace

Result<PartitionJobs> PostgresStore::load_partition(PartitionNo partition) {
  BELFRY_TRY(reply, loads_.read(kLoadPartition, Params().integer(partition.value())));
  if (reply.empty()) return fail(Errc::kNotFound, "there is no such partition");
  PartitionJobs jobs;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    read_into(jobs, row);
  }
  return jobs;
}

// Cursor and version come first, so that whatever changes while we read is a change after them.
Result<BriefPartition> PostgresStore::load_brief(PartitionNo partition) {
  const auto asked = Params().integer(partition.value());
  BELFRY_TRY(cursor, loads_.read(kLoadCursor, asked));
  if (cursor.empty()) return fail(Errc::kNotFound, "there is no such partition");
  BriefPartition result;
  Row row = cursor.row(0);
  result.decided_through = row.instant();
  result.version = JobsVersion(to_unsigned(row.number()));
  result.era = Era(to_unsigned(row.number()));
  BELFRY_TRY(terms, loads_.read(kLoadTerms, asked));
  result.brief = read_all(terms, read_brief);
  BELFRY_TRY(rest, loads_.read(kLoadRest, asked));
  result.whole = read_all(rest, [](Row job) { return read_job(job); });
  return result;
}

Result<std::vector<JobRow>> PostgresStore::load_jobs(std::span<const JobId> jobs) {
  std::vector<std::int64_t> ids;
  for (const JobId job : jobs) ids.push_back(to_bigint(job.value()));
  BELFRY_TRY(reply, loads_.read(kLoadJobs, Params().bigints(ids)));
  return read_all(reply, [](Row job) { return read_job(job); });
}

Result<std::vector<std::optional<BriefPartition>>> PostgresStore::load_changes(
    std::span<const KnownJobs> known) {
  std::vector<std::int64_t> partitions;
  std::vector<std::int64_t> versions;
  for (const KnownJobs& asked : known) {
    partitions.push_back(asked.partition.value());
    versions.push_back(to_bigint(asked.version.value()));
  }
  BELFRY_TRY(reply, decisions_.read(kLoadChanges, Params().integers(partitions).bigints(versions)));
  std::vector<std::optional<BriefPartition>> changes(known.size());
  std::vector<std::int64_t> wanted;  // these have to be read whole
  std::unordered_map<JobId, BriefPartition*> places;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    auto& changed = changes.at(static_cast<std::size_t>(row.number() - 1));
    if (!changed) changed.emplace();
    changed->decided_through = row.instant();
    changed->version = JobsVersion(to_unsigned(row.number()));
    if (row.next_is_null()) continue;  // nothing has changed there
    const std::int64_t id = row.number();
    const JobId job(to_unsigned(id));
    const Instant effective_from = row.instant();
    if (!row.boolean()) {
      changed->gone.push_back(job);
    } else if (!row.next_is_null()) {
      changed->brief.push_back({job, effective_from, core::Terms(row.bits128())});
    } else {
      wanted.push_back(id);
      places.emplace(job, &*changed);
    }
  }
  if (wanted.empty()) return changes;
  BELFRY_TRY(whole, decisions_.read(kLoadJobs, Params().bigints(wanted)));
  for (JobRow& job : read_all(whole, [](Row row) { return read_job(row); })) {
    places.at(job.id)->whole.push_back(std::move(job));
  }
  return changes;
}

}  // namespace belfry::store::postgres
