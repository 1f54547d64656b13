#include "store/postgres/jobs/labels.h"

#include "store/common/job_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {

bool is_relabelled(const JobRow& before, const JobRow& after) {
  return before.definition.labels != after.definition.labels ||
         before.definition.name != after.definition.name || has_labels(before) != has_labels(after);
}

namespace {

std::vector<std::int64_t> ids_of_labelled(std::span<const JobRow* const> jobs) {
  std::vector<std::int64_t> ids;
  for (const JobRow* job : jobs) {
    if (has_labels(*job)) ids.push_back(to_bigint(job->id.value()));
  }
  return ids;
}

}  // namespace

Status drop_labels(Transaction& transaction, std::span<const JobRow* const> jobs) {
  const std::vector<std::int64_t> ids = ids_of_labelled(jobs);
  if (ids.empty()) return {};
  BELFRY_CHECK(transaction.run(kDropLabels, Params().bigints(ids)));
  return {};
}

Status add_labels(Transaction& transaction, std::span<const JobRow* const> jobs) {
  const std::vector<std::int64_t> ids = ids_of_labelled(jobs);
  if (ids.empty()) return {};
  BELFRY_CHECK(transaction.run(kAddLabels, Params().bigints(ids)));
  return {};
}

}  // namespace belfry::store::postgres
