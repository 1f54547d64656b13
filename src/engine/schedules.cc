#include "engine/schedules.h"

#include "core/misfire.h"

#include <algorithm>

namespace belfry::engine {
namespace {

constexpr std::size_t kMostKnown = 100'000;
constexpr std::size_t kMostCalendars = 1'000;

// The texts that decide a plain cron schedule; empty for those that depend on more.
std::string text_of(const core::ScheduleSpec& spec) {
  const bool plain = spec.type == core::ScheduleSpec::Type::kCron && !spec.start_at &&
                     !spec.end_at && spec.jitter == Duration::zero() && spec.calendar_name.empty();
  if (!plain) return {};
  const bool hashed = spec.cron_expression.find_first_of("Hh") != std::string::npos;
  if (hashed) return {};
  return spec.cron_expression + '\n' + spec.timezone + '\n' +
         static_cast<char>('0' + static_cast<int>(spec.dialect)) +
         static_cast<char>('0' + static_cast<int>(spec.dst_gap)) +
         static_cast<char>('0' + static_cast<int>(spec.dst_overlap));
}

}  // namespace

Result<core::Schedule> Schedules::of(const store::JobRow& job) {
  const std::string text = text_of(job.definition.schedule);
  if (!text.empty()) {
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
  }
  core::ScheduleSpec spec = job.definition.schedule;
  spec.key = core::schedule_key(job.tenant, job.definition.name);
  BELFRY_TRY(calendar, calendar_of(spec));
  spec.calendar = calendar;
  BELFRY_TRY(schedule, core::Schedule::make(spec, zones_));
  if (!text.empty()) {
    if (known_.size() >= kMostKnown) known_.clear();
    known_.emplace(text, schedule);
  }
  return schedule;
}

Result<std::shared_ptr<const core::Calendar>> Schedules::calendar_of(
    const core::ScheduleSpec& spec) {
  if (spec.calendar_rules.empty()) return nullptr;
  const auto known = calendars_.find(spec.calendar_rules);
  if (known != calendars_.end()) return known->second;
  BELFRY_TRY(made,
             core::Calendar::make(spec.calendar_name, core::split_rules(spec.calendar_rules)));
  auto calendar = std::make_shared<const core::Calendar>(std::move(made));
  if (calendars_.size() >= kMostCalendars) calendars_.clear();
  calendars_.emplace(spec.calendar_rules, calendar);
  return calendar;
}

store::Decisions decide_job(const store::JobRow& job, const core::Schedule& schedule, Instant after,
                            Instant through, Instant now, Duration tolerance) {
  const Instant from = std::max(after, schedule.begins_after());
  const Instant to = std::min(through, schedule.end_at());
  store::Decisions decisions;
  if (to <= from) return decisions;
  const core::Fates fates = core::decide_due({.rhythm = schedule.rhythm(),
                                              .policies = job.definition.policies,
                                              .status = job.status,
                                              .paused_until = job.paused_until,
                                              .after = from,
                                              .through = to,
                                              .now = now,
                                              .tolerance = tolerance});
  for (const core::RunTick& run : fates.runs) {
    decisions.runs.push_back({job.id, run.tick, run.stands_for, run.due});
  }
  for (const core::SkippedTicks& skip : fates.skips) {
    decisions.skips.push_back({job.id, skip.first, skip.last, skip.count, skip.reason});
  }
  return decisions;
}

store::Decisions settle_change(const store::JobStore::ChangeFacts& facts, Schedules& schedules,
                               Duration tolerance) {
  const store::JobRow& job = facts.job;
  const auto schedule = schedules.of(job);
  if (!core::can_tick(job.status) || !schedule) return {};
  if (facts.begins) {
    const core::ScheduleSpec& spec = job.definition.schedule;
    if (spec.type != core::ScheduleSpec::Type::kOnce) return {};
    return decide_job(job, *schedule, spec.run_at - Duration(1), job.effective_from, facts.now,
                      tolerance);
  }
  const Instant after = std::max(job.effective_from, facts.decided_through);
  return decide_job(job, *schedule, after, facts.now, facts.now, tolerance);
}

}  // namespace belfry::engine
