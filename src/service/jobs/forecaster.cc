#include "service/jobs/forecaster.h"

#include "core/schedule/schedule.h"
#include "core/timetable/timetable.h"

#include <algorithm>
#include <chrono>
#include <string>

namespace belfry::service {
namespace {

constexpr int kMostAtOnce = 3;  // one that computes, two that wait for it
constexpr Duration kKeep = std::chrono::minutes(1);
constexpr std::size_t kLongest = 7 * 24 * 60;  // minutes
constexpr std::size_t kPageOfJobs = 1'000;
constexpr std::size_t kMostJobs = 200'000;  // beyond that, the forecast covers only these
constexpr std::size_t kMostTenants = 1'000;

void add(core::Timetable& timetable, core::ZoneCatalog& zones, const store::JobRow& job) {
  const auto after = core::runs_after(job.status, job.paused_until, job.effective_from);
  if (!after) return;
  const auto schedule =
      core::compile_schedule(job.tenant, job.definition.name, job.definition.schedule, zones);
  if (!schedule) return;
  timetable.put(slice_of(partition_of(job.id)),
                {.id = job.id,
                 .rhythm = &schedule->rhythm(),
                 .after = std::max(*after, schedule->begins_after()),
                 .until = schedule->end_at()});
}

}  // namespace

Result<Forecast> Forecaster::compute(TenantId tenant, Instant now) {
  Forecast forecast{.from = from_unix_seconds(floor_unix_seconds(now) / 60 * 60)};
  core::Timetable timetable(now);
  std::size_t seen = 0;
  std::optional<std::string> after = "";
  while (after && seen < kMostJobs) {
    BELFRY_TRY(page, store_.list_jobs({.tenant = tenant}, *after, kPageOfJobs));
    for (const store::JobRow& job : page.jobs) add(timetable, zones_, job);
    seen += page.jobs.size();
    after = page.next;
  }
  forecast.exact = !after;
  forecast.minutes = timetable.forecast(now, kLongest);
  return forecast;
}

Result<Forecast> Forecaster::forecast(TenantId tenant, Instant now, std::size_t hours) {
  struct Visit {
    std::atomic<int>& inside;
    const int before = inside.fetch_add(1);
    ~Visit() { inside.fetch_sub(1); }
  };
  const Visit visit{inside_};
  if (visit.before >= kMostAtOnce) {
    return fail(Errc::kUnavailable, "other forecasts are being computed");
  }
  const MutexLock lock(mutex_);
  const BootInstant moment = clock_.boot_now();
  auto found = kept_.find(tenant);
  if (found == kept_.end() || found->second.until <= moment) {
    BELFRY_TRY(fresh, compute(tenant, now));
    if (kept_.size() >= kMostTenants) kept_.clear();
    found = kept_.insert_or_assign(tenant, Kept{std::move(fresh), moment + kKeep}).first;
  }
  Forecast forecast = found->second.forecast;
  forecast.minutes.resize(std::min(hours * 60, kLongest));
  return forecast;
}

}  // namespace belfry::service
