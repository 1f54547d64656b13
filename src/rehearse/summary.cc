#include "rehearse/summary.h"

#include "core/cron/clock_warnings.h"
#include "core/schedule/schedule.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>
#include <variant>

namespace belfry::rehearse {
namespace {

Instant minute_of(Instant at) {
  return Instant(std::chrono::floor<std::chrono::minutes>(at.since_origin()));
}

bool is_about_overlap(const Event& event) {
  const bool skipped =
      event.kind == Event::Kind::kSkipped && (event.reason == core::SkipReason::kOverlap ||
                                              event.reason == core::SkipReason::kOverlapReplaced);
  const bool waited =
      event.kind == Event::Kind::kFired && event.other && event.at > event.tick.instant();
  return skipped || waited || event.kind == Event::Kind::kReplaced;
}

}  // namespace

std::int64_t Tally::skipped() const {
  std::int64_t sum = 0;
  for (const auto& [reason, count] : skips) sum += count;
  return sum;
}

void Tally::add(const Event& event) {
  switch (event.kind) {
    case Event::Kind::kSkipped: skips[event.reason] += event.ticks; return;
    case Event::Kind::kReplaced: ++replaced; return;
    case Event::Kind::kTimedOut: ++timed_out; return;
    case Event::Kind::kDied: ++died; return;
    case Event::Kind::kFired: break;
  }
  ++fires;
  if (!first_fire) first_fire = event.at;
  last_fire = event.at;
  const Duration wait = event.at - event.tick.instant();
  if (wait > Duration::zero()) ++late;
  latest = std::max(latest, wait);
}

void Summariser::add(const Event& event) {
  summary_.all.add(event);
  summary_.jobs[event.job].add(event);
  if (event.kind == Event::Kind::kFired) count_fire(event);
  if (is_about_overlap(event)) note_overlap(event);
}

void Summariser::count_fire(const Event& event) {
  const Instant minute = minute_of(event.at);
  if (minute != minute_.at) {
    close_minute();
    minute_ = {.at = minute};
  }
  ++minute_.fires;
  minute_.jobs.push_back(event.job);
}

// Of minutes that are equally busy the first ones stay.
void Summariser::close_minute() {
  auto& busiest = summary_.busiest;
  if (minute_.fires == 0) return;
  if (busiest.size() == kBusiest && minute_.fires <= busiest.back().fires) return;
  std::ranges::sort(minute_.jobs);
  const auto less = [](const BusyMinute& a, const BusyMinute& b) { return a.fires > b.fires; };
  busiest.insert(std::ranges::upper_bound(busiest, minute_, less), minute_);
  if (busiest.size() > kBusiest) busiest.pop_back();
}

void Summariser::note_overlap(const Event& event) {
  Overlap& overlap =
      overlaps_.try_emplace(event.job, Overlap{.job = event.job, .first = event}).first->second;
  if (event.kind == Event::Kind::kSkipped) overlap.ticks += event.ticks;
  if (event.kind == Event::Kind::kFired) ++overlap.waited;
  if (event.kind == Event::Kind::kReplaced) ++overlap.replaced;
}

Summary Summariser::finish(core::ZoneCatalog& zones) {
  close_minute();
  minute_ = {};
  for (const auto& [job, overlap] : overlaps_) summary_.overlaps.push_back(overlap);
  summary_.surprises = clock_surprises(plan_, zones);
  return std::move(summary_);
}

std::vector<ClockSurprise> clock_surprises(const Plan& plan, core::ZoneCatalog& zones) {
  std::map<std::tuple<Instant, std::string, std::string>, std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    const core::JobDefinition& job = plan.jobs[i].definition;
    const auto schedule = core::compile_schedule(kTenant, job.name, job.schedule, zones);
    if (!schedule) continue;
    const auto* const rule = std::get_if<core::CronRule>(&schedule->rhythm().rule());
    if (rule == nullptr) continue;
    const Instant from = std::max(plan.from, schedule->start_at());
    const Instant to = std::min(plan.to, schedule->end_at());
    for (core::Warning& warning : core::all_clock_warnings(
             *rule, job.schedule.dst_gap == core::DstGap::kSkip, floor_unix_seconds(from) - 1,
             floor_unix_seconds(to - Duration(1)))) {
      const Instant at = from_unix_seconds(warning.at.value_or(0));
      found[{at, std::move(warning.code), std::move(warning.message)}].push_back(i);
    }
  }
  std::vector<ClockSurprise> surprises;
  for (auto& [what, jobs] : found) {
    const auto& [at, code, message] = what;
    surprises.push_back({at, code, message, std::move(jobs)});
  }
  return surprises;
}

}  // namespace belfry::rehearse
