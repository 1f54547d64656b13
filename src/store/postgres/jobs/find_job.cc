#include "store/common/job_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {

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
