#pragma once

#include "api/frame/problem.h"
#include "base/ids.h"
#include "base/time.h"
#include "core/job.h"
#include "core/schedule/zone_catalog.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace belfry::api {

// The texts of schedules that a call has found good: many jobs of a batch share theirs.
using GoodSchedules = std::unordered_set<std::string>;

// Checks what needs more than the field itself: that the schedule compiles, and will ever run.
// Complaints are by field, one for each that is wrong; a field that has one already gets no second.
void check_schedule(const core::JobDefinition& job, TenantId tenant, core::ZoneCatalog& zones,
                    Instant now, const std::string& pointer, std::vector<Complaint>& complaints,
                    GoodSchedules* good = nullptr);

}  // namespace belfry::api
