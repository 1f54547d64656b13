#include "store/sqlite/jobs/find_job.h"

#include "store/common/job_rules.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/job_row.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Result<JobRow> find_job(const Session& session, JobId job) {
  JobRow result;
  const auto read = [&](Row& row) { result = read_whole_job(row); };
  BELFRY_TRY(found, session.db.first(kFindJob, read, job));
  if (!found) return fail(no_such_job());
  return result;
}

Result<JobRow> SqliteStore::find_job(JobId job) {
  return read([&](const Session& session) { return sqlite::find_job(session, job); });
}

Result<JobRow> SqliteStore::find_job(TenantId tenant, const std::string& name) {
  return read([&](const Session& session) -> Result<JobRow> {
    JobRow result;
    const auto read = [&](Row& row) { result = read_whole_job(row); };
    BELFRY_TRY(found, session.db.first(kFindJobByName, read, tenant, name));
    if (!found) return fail(no_such_job());
    return result;
  });
}

}  // namespace belfry::store::sqlite
