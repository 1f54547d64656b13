#include "store/sqlite/jobs/labels.h"

#include "store/common/job_rules.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Status drop_labels(const Session& session, const JobRow& job) {
  if (!has_labels(job)) return {};
  BELFRY_CHECK(session.db.run(kDropLabels, job.id));
  return {};
}

Status add_labels(const Session& session, const JobRow& job) {
  if (!has_labels(job)) return {};
  BELFRY_CHECK(session.db.run(kAddLabels, job.id));
  return {};
}

}  // namespace belfry::store::sqlite
