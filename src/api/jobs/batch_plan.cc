#include "api/jobs/batch_plan.h"

#include "api/jobs/job_draft.h"
#include "store/common/change_rules.h"
#include "store/common/job_rules.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace belfry::api {
namespace {

using Registered = store::RegisteredJob::Outcome;

constexpr std::size_t kPage = 1'000;

Result<store::RegisteredJob> plan_one(const Services& services, const Call& call,
                                      const store::NewJob& wanted) {
  auto job = services.store.find_job(wanted.tenant, wanted.definition.name);
  if (!job && job.error().code != Errc::kNotFound) return fail(job.error());
  if (!job) {
    store::JobRow fresh{.tenant = wanted.tenant, .definition = wanted.definition};
    return store::RegisteredJob{std::move(fresh), Registered::kCreated};
  }
  BELFRY_CHECK(check_may_exec(call, wanted.definition, &job->definition));
  const auto change = store::replacement(*job, wanted, call.author());
  const Registered outcome = change ? Registered::kReplaced : Registered::kUnchanged;
  return store::RegisteredJob{*std::move(job), outcome};
}

// Counts only as far as a limit makes it necessary.
Status check_room(const Services& services, TenantId tenant, std::int64_t added) {
  BELFRY_TRY(row, services.store.find_tenant(tenant));
  const std::int64_t most = row.max_jobs;
  if (most == 0 || added == 0) return {};
  std::int64_t existing = 0;
  std::string cursor;
  while (existing + added <= most) {
    BELFRY_TRY(page, services.store.list_jobs({.tenant = tenant}, cursor, kPage));
    existing += static_cast<std::int64_t>(page.jobs.size());
    if (!page.next) break;
    cursor = *page.next;
  }
  return store::check_quota(existing, added, most);
}

}  // namespace

Result<std::vector<store::RegisteredJob>> plan_batch(const Services& services, const Call& call,
                                                     std::span<const store::NewJob> jobs) {
  BELFRY_CHECK(store::check({.jobs = jobs, .replace = true}));
  std::vector<store::RegisteredJob> planned;
  for (const store::NewJob& job : jobs) {
    BELFRY_TRY(one, plan_one(services, call, job));
    planned.push_back(std::move(one));
  }
  const auto added =
      std::ranges::count(planned, Registered::kCreated, &store::RegisteredJob::outcome);
  BELFRY_CHECK(check_room(services, call.principal.tenant, added));
  return planned;
}

}  // namespace belfry::api
