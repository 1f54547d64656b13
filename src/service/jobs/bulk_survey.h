#pragma once

#include "base/result.h"
#include "core/bulk/run_selector.h"
#include "store/store.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// How much bulk work would touch, before anybody does it.
namespace belfry::service {

struct JobSurvey {
  std::uint64_t matched = 0;
  bool exact = true;  // no: it stopped counting
  std::vector<std::pair<JobId, std::string>> samples;
};
// Looks at the first million names at most.
Result<JobSurvey> survey_jobs(store::BulkStore& store, TenantId tenant,
                              const core::JobSelector& selector);

struct RunSurvey {
  std::uint64_t matched = 0;
  bool exact = true;
  std::vector<store::RunRow> samples;
};
// Counts up to 10,000 runs.
Result<RunSurvey> survey_runs(store::ListingStore& store, TenantId tenant,
                              const core::RunSelector& selector);

}  // namespace belfry::service
