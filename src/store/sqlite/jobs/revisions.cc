#include "store/sqlite/jobs/revisions.h"

#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/job_row.h"
#include "store/sqlite/sql.h"

#include <limits>

namespace belfry::store::sqlite {

namespace {

RevisionRow read_revision(Row& row) {
  RevisionRow revision;
  row.read(revision.revision, revision.effective_from, revision.status, revision.paused_until,
           revision.name, revision.job_type);
  read_schedule(revision.schedule, row);
  read_policies(revision.policies, row);
  row.read(revision.schedule.calendar_rules, revision.created_at, revision.target, revision.payload,
           revision.labels, revision.description);
  return revision;
}

}  // namespace

Result<std::vector<RevisionRow>> find_revisions(const Session& session, JobId job,
                                                std::optional<std::uint32_t> before, Instant at,
                                                std::size_t limit) {
  constexpr std::uint32_t kNoRevision = std::numeric_limits<std::uint32_t>::max();
  std::vector<RevisionRow> revisions;
  const auto add = [&](Row& row) { revisions.push_back(read_revision(row)); };
  BELFRY_CHECK(session.db.each(kRevisionsOf, add, job, before.value_or(kNoRevision), at, limit));
  return revisions;
}

Result<std::vector<RevisionRow>> SqliteStore::revisions_of(JobId job,
                                                           std::optional<std::uint32_t> before,
                                                           std::size_t limit) {
  return read([&](const Session& session) {
    return find_revisions(session, job, before, Instant::max(), limit);
  });
}

Result<RevisionRow> SqliteStore::revision_at(JobId job, Instant at) {
  return read([&](const Session& session) -> Result<RevisionRow> {
    BELFRY_TRY(revisions, find_revisions(session, job, std::nullopt, at, 1));
    if (revisions.empty()) return fail(Errc::kNotFound, "the job did not exist then");
    return revisions.front();
  });
}

}  // namespace belfry::store::sqlite
