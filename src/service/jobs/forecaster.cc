#include "service/jobs/forecaster.h"

#include "core/schedule/schedule.h"
#include "core/timetable/timetable.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace belfry::service {
namespace {

constexpr int kMostAtOnce = 3;  // one that computes, two that wait for it
constexpr Duration kKeep = std::chrono::minutes(1);
constexpr std::size_t kLongest = 7 * 24 * 60;  // minutes
constexpr std::size_t kPageOfJobs = 1'000;
constexpr std::size_t kMostForecast = 200'000;  // beyond that, the forecast covers only these
constexpr std::size_t kMostTenants = 1'000;
constexpr std::size_t kMostHerds = 5;         // minutes that advice is about
constexpr std::size_t kMostMembers = 20'000;  // jobs of these that are looked at

// Counts who is inside; few may be.
class Visit {
 public:
  explicit Visit(std::atomic<int>& inside) : inside_(inside), before_(inside.fetch_add(1)) {}
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit() { inside_.fetch_sub(1); }
  bool is_one_too_many() const { return before_ >= kMostAtOnce; }

 private:
  std::atomic<int>& inside_;
  const int before_;
};

tl::unexpected<Error> too_many() {
  return fail(Errc::kUnavailable, "other forecasts are being computed");
}

struct Ahead {
  core::Timetable timetable;
  std::vector<Instant> waiting = {};  // when runs start whose ticks have come
};

void add(Ahead& ahead, core::ZoneCatalog& zones, const store::JobRow& job, Instant after) {
  const auto schedule =
      core::compile_schedule(job.tenant, job.definition.name, job.definition.schedule, zones);
  if (!schedule) return;
  if (schedule->rhythm().delays()) {
    const Instant now = ahead.timetable.cursor();
    const auto next = schedule->next_run(now, after);
    if (next && next->tick.instant() <= now) ahead.waiting.push_back(next->starts());
  }
  ahead.timetable.put(slice_of(partition_of(job.id)),
                      {.id = job.id,
                       .rhythm = &schedule->rhythm(),
                       .after = std::max(after, schedule->begins_after()),
                       .until = schedule->end_at()});
}

// The fullest minutes, the earlier of equals first.
std::vector<Instant> herds_of(const Forecast& forecast, std::size_t hours) {
  std::vector<std::size_t> minutes;
  for (std::size_t i = 0; i < std::min(hours * 60, forecast.minutes.size()); ++i) {
    if (forecast.minutes[i] > 1) minutes.push_back(i);
  }
  std::ranges::stable_sort(minutes, [&](std::size_t a, std::size_t b) {
    return forecast.minutes[a] > forecast.minutes[b];
  });
  minutes.resize(std::min(minutes.size(), kMostHerds));
  std::vector<Instant> herds;
  for (const std::size_t i : minutes) herds.push_back(forecast.from + std::chrono::minutes(i));
  return herds;
}

// Those of a tenant's jobs that start in one of some minutes.
class Members {
 public:
  Members(std::vector<Instant> minutes, core::ZoneCatalog& zones)
      : minutes_(std::move(minutes)), zones_(zones) {}

  void add(const store::JobRow& job, Instant after) {
    const auto spec = core::keyed_for(job.tenant, job.definition.name, job.definition.schedule);
    const auto schedule = core::Schedule::make(spec, zones_);
    const bool is_member = schedule && std::ranges::any_of(minutes_, [&](Instant minute) {
                             return core::starts_in(*schedule, after, minute) > 0;
                           });
    if (!is_member) return;
    is_complete_ = jobs_.size() < kMostMembers;
    if (!is_complete_) return;
    jobs_.push_back({.spec = spec, .after = after});
    named_.push_back({job.id, job.definition.name, job.revision, {}});
  }

  HerdReport advise() const {
    core::HerdAdvice advice = core::advise(jobs_, minutes_, zones_);
    HerdReport report{.exact = is_complete_};
    for (const core::HerdMinute& minute : advice.minutes) {
      HerdReport::Minute& added = report.minutes.emplace_back();
      added.at = minute.at;
      added.before = minute.before;
      added.after = minute.after;
      for (const std::size_t job : minute.jobs) added.jobs.push_back(named_[job].name);
    }
    for (core::HerdChange& change : advice.changes) {
      report.changes.push_back(named_[change.job]);
      report.changes.back().spread = std::move(change.spread);
    }
    return report;
  }

 private:
  std::vector<Instant> minutes_;
  core::ZoneCatalog& zones_;
  std::vector<core::HerdJob> jobs_;
  std::vector<HerdReport::Change> named_;  // the same, without a change
  bool is_complete_ = true;
};

}  // namespace

Result<bool> Forecaster::for_each_job(TenantId tenant, const Visitor& visit) {
  std::size_t seen = 0;
  std::optional<std::string> from = "";
  while (from && seen < kMostForecast) {
    BELFRY_TRY(page, store_.list_jobs({.tenant = tenant}, *from, kPageOfJobs));
    for (const store::JobRow& job : page.jobs) {
      const auto after = core::runs_after(job.status, job.paused_until, job.effective_from);
      if (after) visit(job, *after);
    }
    seen += page.jobs.size();
    from = page.next;
  }
  return !from;
}

Result<Forecast> Forecaster::compute(TenantId tenant, Instant now) {
  Forecast forecast{.from = from_unix_seconds(floor_unix_seconds(now) / 60 * 60)};
  Ahead ahead{.timetable = core::Timetable(now)};
  BELFRY_TRY(is_all, for_each_job(tenant, [&](const store::JobRow& job, Instant after) {
               add(ahead, zones_, job, after);
             }));
  forecast.exact = is_all;
  forecast.minutes = ahead.timetable.forecast(now, kLongest);
  for (const Instant at : ahead.waiting) {
    const auto minute = static_cast<std::size_t>((at - forecast.from) / std::chrono::minutes(1));
    if (minute < kLongest) ++forecast.minutes[minute];
  }
  return forecast;
}

Result<const Forecast*> Forecaster::renew(TenantId tenant, Instant now) {
  BELFRY_TRY(fresh, compute(tenant, now));
  if (kept_.size() >= kMostTenants) kept_.clear();
  Kept kept{std::move(fresh), clock_.boot_now() + kKeep};
  return &kept_.insert_or_assign(tenant, std::move(kept)).first->second.forecast;
}

Result<Forecast> Forecaster::forecast(TenantId tenant, Instant now, std::size_t hours) {
  const Visit visit(inside_);
  if (visit.is_one_too_many()) return too_many();
  const MutexLock lock(mutex_);
  const auto found = kept_.find(tenant);
  Forecast forecast;
  if (found != kept_.end() && found->second.until > clock_.boot_now()) {
    forecast = found->second.forecast;
  } else {
    BELFRY_TRY(fresh, renew(tenant, now));
    forecast = *fresh;
  }
  forecast.minutes.resize(std::min(hours * 60, kLongest));
  return forecast;
}

Result<HerdReport> Forecaster::advise(TenantId tenant, Instant now, std::size_t hours) {
  const Visit visit(inside_);
  if (visit.is_one_too_many()) return too_many();
  const MutexLock lock(mutex_);
  BELFRY_TRY(forecast, renew(tenant, now));
  Members members(herds_of(*forecast, hours), zones_);
  BELFRY_TRY(is_all, for_each_job(tenant, [&](const store::JobRow& job, Instant after) {
               members.add(job, after);
             }));
  HerdReport report = members.advise();
  report.from = forecast->from;
  report.exact = report.exact && is_all;
  return report;
}

}  // namespace belfry::service
