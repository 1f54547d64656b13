#include "core/job.h"

#include <tuple>

namespace belfry::core {
namespace {

// All of a schedule but the calendar itself, which its name stands for.
auto fields_of(const ScheduleSpec& s) {
  return std::tie(s.type, s.cron_expression, s.dialect, s.timezone, s.dst_gap, s.dst_overlap,
                  s.every, s.run_at, s.start_at, s.end_at, s.jitter, s.calendar_name);
}

auto misfire_of(const JobPolicies& p) {
  return std::tie(p.misfire, p.misfire_grace, p.max_missed_firings);
}

}  // namespace

bool same_ticks(const JobDefinition& a, const JobDefinition& b) {
  // The name is what `H` and jitter are drawn from.
  return a.name == b.name && fields_of(a.schedule) == fields_of(b.schedule) &&
         misfire_of(a.policies) == misfire_of(b.policies);
}

}  // namespace belfry::core
