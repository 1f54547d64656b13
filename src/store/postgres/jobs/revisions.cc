#include "store/postgres/jobs/revisions.h"

#include "store/postgres/implementation.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/sql.h"

#include <limits>

namespace belfry::store::postgres {
namespace {

constexpr std::uint32_t kNoRevision = std::numeric_limits<std::int32_t>::max();

RevisionRow read_revision(Row row) {
  RevisionRow revision;
  revision.revision = static_cast<std::uint32_t>(row.number());
  revision.effective_from = row.instant();
  revision.status = static_cast<core::JobStatus>(row.number());
  revision.paused_until = row.maybe_instant();
  revision.name = row.text();
  revision.job_type = row.text();
  read_schedule(revision.schedule, row);
  read_policies(revision.policies, row);
  revision.schedule.calendar_rules = row.text();
  revision.created_at = row.instant();
  revision.target = row.text();
  revision.payload = row.text();
  revision.labels = row.maybe_text();
  revision.description = row.maybe_text();
  return revision;
}

Params revisions_params(JobId job, std::uint32_t before, Instant at, std::size_t limit) {
  Params params;
  params.bigint(to_bigint(job.value())).integer(before).instant(at).bigint(to_bigint(limit));
  return params;
}

}  // namespace

Result<std::optional<RevisionRow>> find_revision_at(Transaction& transaction, JobId job,
                                                    Instant at) {
  BELFRY_TRY(reply, transaction.run(kRevisionsOf, revisions_params(job, kNoRevision, at, 1)));
  return reply.empty() ? std::nullopt : std::optional(read_revision(reply.row(0)));
}

Result<std::vector<RevisionRow>> PostgresStore::revisions_of(JobId job,
                                                             std::optional<std::uint32_t> before,
                                                             std::size_t limit) {
  BELFRY_TRY(reply, database_.read(kRevisionsOf, revisions_params(job, before.value_or(kNoRevision),
                                                                  Instant::max(), limit)));
  return read_all(reply, read_revision);
}

Result<RevisionRow> PostgresStore::revision_at(JobId job, Instant at) {
  BELFRY_TRY(reply, database_.read(kRevisionsOf, revisions_params(job, kNoRevision, at, 1)));
  if (reply.empty()) return fail(Errc::kNotFound, "the job did not exist then");
  return read_revision(reply.row(0));
}

}  // namespace belfry::store::postgres
