#include "core/schedule/schedule_cache.h"

#include <utility>

namespace belfry::core {
namespace {

constexpr std::size_t kMostKnown = 100'000;
constexpr std::size_t kMostCalendars = 1'000;

}  // namespace

std::string shared_text(const ScheduleSpec& spec) {
  const bool plain = spec.type == ScheduleSpec::Type::kCron && !spec.start_at && !spec.end_at &&
                     spec.jitter == Duration::zero() && spec.calendar_name.empty();
  if (!plain) return {};
  const bool hashed = spec.cron_expression.find_first_of("Hh") != std::string::npos;
  if (hashed) return {};
  return spec.cron_expression + '\n' + spec.timezone + '\n' +
         static_cast<char>('0' + static_cast<int>(spec.dialect)) +
         static_cast<char>('0' + static_cast<int>(spec.dst_gap)) +
         static_cast<char>('0' + static_cast<int>(spec.dst_overlap));
}

Result<Schedule> ScheduleCache::of(TenantId tenant, std::string_view job_name,
                                   const ScheduleSpec& spec) {
  const std::string text = shared_text(spec);
  if (!text.empty()) {
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
  }
  BELFRY_TRY(calendar, calendar_of(spec));
  ScheduleSpec shared = spec;
  shared.calendar = calendar;
  BELFRY_TRY(schedule, compile_schedule(tenant, job_name, std::move(shared), zones_));
  if (!text.empty()) {
    if (known_.size() >= kMostKnown) known_.clear();
    known_.emplace(text, schedule);
  }
  return schedule;
}

Result<std::shared_ptr<const Calendar>> ScheduleCache::calendar_of(const ScheduleSpec& spec) {
  if (spec.calendar_rules.empty()) return nullptr;
  const auto known = calendars_.find(spec.calendar_rules);
  if (known != calendars_.end()) return known->second;
  BELFRY_TRY(made, Calendar::make(spec.calendar_name, split_rules(spec.calendar_rules), zones_));
  auto calendar = std::make_shared<const Calendar>(std::move(made));
  if (calendars_.size() >= kMostCalendars) calendars_.clear();
  calendars_.emplace(spec.calendar_rules, calendar);
  return calendar;
}

}  // namespace belfry::core
