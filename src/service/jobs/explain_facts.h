#pragma once

#include "base/result.h"
#include "core/schedule/zone_catalog.h"
#include "service/access/regions.h"
#include "service/jobs/explain.h"
#include "store/store.h"

#include <optional>
#include <vector>

namespace belfry::service {

// What an explanation is made from, read by keys: a job's revisions, runs and skips.
struct ExplainSources {
  store::Store& store;
  core::ZoneCatalog& zones;
  Instant now;
  const std::vector<Trouble>& troubles;  // of everybody
  Regions& regions;
};

// Without `at`: the last run or tick that the job had, or why it had none yet.
Result<ExplainFacts> explain_facts(const ExplainSources& sources, const store::JobRow& job,
                                   std::optional<Instant> at);

}  // namespace belfry::service
