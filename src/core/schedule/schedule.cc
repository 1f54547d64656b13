#include "core/schedule/schedule.h"

#include "core/cron/compile.h"
#include "core/cron/every.h"
#include "core/cron/hash.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::core {
namespace {

using std::chrono::seconds;

constexpr Duration kLongestEvery = std::chrono::hours(24 * 36'600);  // about a century
constexpr Duration kLongestJitter = std::chrono::hours(24);

tl::unexpected<Error> refuse_field(std::string field, std::string message, std::string hint) {
  return fail(Error{.code = Errc::kInvalid,
                    .message = std::move(message),
                    .field = std::move(field),
                    .hint = std::move(hint)});
}

bool whole_seconds(Duration d) {
  return d % seconds(1) == Duration::zero();
}

Result<Rhythm::Rule> every_rule(const ScheduleSpec& spec, Duration interval) {
  if (interval < seconds(1) || !whole_seconds(interval) || interval > kLongestEvery) {
    return refuse_field("every", "must be whole seconds, at least 1s and at most 100 years",
                        "for example `90s` or `2h`");
  }
  return EveryRule::aligned_to(spec.start_at.value_or(Instant()), interval);
}

Result<Rhythm::Rule> rule_of(const ScheduleSpec& spec, const Zone& zone) {
  switch (spec.type) {
    case ScheduleSpec::Type::kEvery: return every_rule(spec, spec.every);
    case ScheduleSpec::Type::kOnce: return OnceRule{spec.run_at};
    case ScheduleSpec::Type::kCron: break;
  }
  if (is_every(spec.cron_expression)) {
    BELFRY_TRY(interval, parse_every(spec.cron_expression));
    return every_rule(spec, interval);
  }
  BELFRY_TRY(expression, parse_expression(spec.cron_expression, spec.dialect, spec.key));
  return CronRule(expression, zone, spec.dst_overlap);
}

Status check_bounds(const ScheduleSpec& spec) {
  if (spec.start_at && spec.end_at && *spec.end_at < *spec.start_at) {
    return refuse_field("end_at", "lies before start_at", "swap the two, or leave one out");
  }
  if (spec.jitter < Duration::zero() || spec.jitter > kLongestJitter ||
      !whole_seconds(spec.jitter)) {
    return refuse_field("jitter", "must be whole seconds, at most 24h",
                        "for example `30s` or `5m`");
  }
  return {};
}

Result<std::shared_ptr<const Calendar>> calendar_of(const ScheduleSpec& spec, ZoneCatalog& zones) {
  if (spec.calendar || spec.calendar_rules.empty()) return spec.calendar;
  BELFRY_TRY(calendar, Calendar::make(spec.calendar_name, split_rules(spec.calendar_rules), zones));
  return std::make_shared<const Calendar>(std::move(calendar));
}

}  // namespace

Result<Schedule> Schedule::make(const ScheduleSpec& spec, ZoneCatalog& zones) {
  BELFRY_CHECK(check_bounds(spec));
  BELFRY_TRY(zone, zones.find(spec.timezone));
  BELFRY_TRY(rule, rule_of(spec, *zone));
  BELFRY_TRY(calendar, calendar_of(spec, zones));
  Rhythm::Options options{.shift = jitter_for(spec.key, spec.jitter),
                          .gap = spec.dst_gap,
                          .calendar = calendar,
                          .zone = calendar ? zone : nullptr};
  if (calendar && spec.calendar_policy == CalendarPolicy::kDelay) {
    options.policy = spec.calendar_policy;
    options.until = spec.end_at.value_or(Instant::max());
  }
  return Schedule(Rhythm(rule, std::move(options)), spec.start_at.value_or(Instant::min()),
                  spec.end_at.value_or(Instant::max()));
}

std::optional<Occurrence> Schedule::next(Instant after) const {
  const auto found = rhythm_.next(std::max(after, begins_after()));
  if (!found || found->tick.instant() > end_at_) return std::nullopt;
  return found;
}

std::optional<Occurrence> Schedule::previous(Instant before) const {
  const auto found = rhythm_.previous(before > end_at_ ? end_at_ + Duration(1) : before);
  if (!found || found->tick.instant() < start_at_) return std::nullopt;
  return found;
}

std::optional<Occurrence> Schedule::next_run(Instant after, Instant begin) const {
  begin = std::max(begin, begins_after());
  auto found = rhythm_.next_run(std::max(after, begin));
  // One that waits for its calendar to open may have come before.
  if (found && found->tick.instant() <= begin) found = rhythm_.next_run(found->starts());
  if (!found || found->tick.instant() > end_at_) return std::nullopt;
  return found;
}

Status check_runs_at_all(const Schedule& schedule, Instant from) {
  if (schedule.next_run(from)) return {};
  if (!schedule.next(from)) {
    if (schedule.end_at() != Instant::max() && schedule.rhythm().next(from)) {
      return refuse_field("end_at", "it comes before the first tick, so the schedule never fires",
                          "give a later end, or none");
    }
    return refuse_field("schedule", "never fires",
                        "no later date matches: check day, month and year, or run_at");
  }
  return refuse_field("calendar", "excludes every tick of the schedule", "choose another calendar");
}

ScheduleSpec keyed_for(TenantId tenant, std::string_view job_name, ScheduleSpec spec) {
  spec.key = std::to_string(tenant.value()).append("/").append(job_name);
  return spec;
}

Result<Schedule> compile_schedule(TenantId tenant, std::string_view job_name, ScheduleSpec spec,
                                  ZoneCatalog& zones) {
  return Schedule::make(keyed_for(tenant, job_name, std::move(spec)), zones);
}

Duration jitter_for(std::string_view key, Duration window) {
  const auto slots = static_cast<std::uint64_t>(window / seconds(1));
  // A field that cannot have `H`, so that jitter is independent of what `H` draws.
  return slots == 0 ? Duration::zero() : seconds(hash_for_field(key, Field::kYear) % slots);
}

}  // namespace belfry::core
