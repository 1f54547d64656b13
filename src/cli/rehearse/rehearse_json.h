#pragma once

#include "base/json.h"
#include "core/schedule/zone_catalog.h"
#include "rehearse/comparison.h"
#include "rehearse/diary.h"
#include "rehearse/plan.h"
#include "rehearse/summary.h"

#include <vector>

// A rehearsal for programs: objects, each for a line of its own, whose `kind` says what they are.
// Instants have the offset of their job's zone.
namespace belfry::cli {

Json to_json(const rehearse::Event& event, const rehearse::Plan& plan, core::ZoneCatalog& zones);

// The jobs, the busiest minutes, the clock changes and the overlaps; the last line has the sums.
std::vector<Json> lines_of(const rehearse::Summary& summary, const rehearse::Plan& plan,
                           core::ZoneCatalog& zones);

// A line for each job that differs; the last one has the sums.
std::vector<Json> lines_of(const std::vector<rehearse::JobChange>& changes,
                           const rehearse::Summary& before, const rehearse::Summary& after,
                           core::ZoneCatalog& zones);

}  // namespace belfry::cli
