#include "core/schedule/rhythm.h"

#include "core/schedule/civil.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace belfry::core {
namespace {

Duration floor_modulo(Duration value, Duration divisor) {
  const Duration rest = value % divisor;
  return rest < Duration::zero() ? rest + divisor : rest;
}

// Ticks lie in this range; questions from outside it are moved to its edge before any arithmetic.
constexpr Instant kStartOfTime = from_unix_seconds(0);
constexpr Instant kEndOfTime =
    from_unix_seconds(days_from_civil({kLastYear + 1, 1, 1}) * kSecondsPerDay - 1);
constexpr Duration kMargin = std::chrono::hours(48);  // more than any offset or shift

Instant within_time(Instant t) {
  return std::clamp(t, kStartOfTime - kMargin, kEndOfTime + kMargin);
}

class Hasher {
 public:
  Hasher& add(std::uint64_t value) {
    state_ = (std::rotl(state_, 23) ^ value) * 0x9e37'79b9'7f4a'7c15;
    return *this;
  }
  std::size_t result() const { return state_ ^ state_ >> 32; }

 private:
  std::uint64_t state_ = 0x243f'6a88'85a3'08d3;
};

void add_to(Hasher& hasher, const CronRule& rule) {
  const CronExpression& e = rule.expression();
  const DayRule& d = e.days;
  hasher.add(e.seconds).add(e.minutes).add(e.hours).add(e.months).add(d.days).add(d.weekdays);
  hasher.add(d.last_minus).add(d.nearest_weekday).add(d.nearest_last_minus).add(d.last_weekdays);
  for (const std::uint8_t nth : d.nth_weekdays) hasher.add(nth);
  hasher.add(std::hash<YearSet>{}(e.years)).add(std::hash<const Zone*>{}(&rule.zone()));
}
void add_to(Hasher& hasher, const EveryRule& rule) {
  hasher.add(static_cast<std::uint64_t>(rule.interval.count()));
  hasher.add(static_cast<std::uint64_t>(rule.phase.count()));
}
void add_to(Hasher& hasher, const OnceRule& rule) {
  hasher.add(static_cast<std::uint64_t>(rule.at.micros()));
}

// Each kind of rule answers "strictly after" and "strictly before" in its own terms; a cron rule
// in whole seconds, so an instant within a second is rounded away from the answer.
struct Found {
  Instant at;
  bool after_gap = false;
};

std::optional<Found> next_of(const CronRule& rule, Instant after) {
  const auto fire = rule.next(floor_unix_seconds(after));
  if (!fire) return std::nullopt;
  return Found{from_unix_seconds(fire->at), fire->after_gap};
}
std::optional<Found> next_of(const EveryRule& rule, Instant after) {
  after = std::max(after, kStartOfTime - Duration(1));
  const Duration into_interval = floor_modulo(after.since_origin() - rule.phase, rule.interval);
  const Instant next = after + (rule.interval - into_interval);
  if (next > kEndOfTime) return std::nullopt;
  return Found{next};
}
std::optional<Found> next_of(const OnceRule& rule, Instant after) {
  const bool exists = rule.at >= kStartOfTime && rule.at <= kEndOfTime;
  return exists && rule.at > after ? std::optional(Found{rule.at}) : std::nullopt;
}

std::optional<Found> previous_of(const CronRule& rule, Instant before) {
  const auto fire = rule.previous(-floor_unix_seconds(Instant(-before.since_origin())));
  if (!fire) return std::nullopt;
  return Found{from_unix_seconds(fire->at), fire->after_gap};
}
std::optional<Found> previous_of(const EveryRule& rule, Instant before) {
  const Instant last = before - Duration(1);
  const Instant found = last - floor_modulo(last.since_origin() - rule.phase, rule.interval);
  return found < kStartOfTime ? std::nullopt : std::optional(Found{found});
}
std::optional<Found> previous_of(const OnceRule& rule, Instant before) {
  const bool exists = rule.at >= kStartOfTime && rule.at <= kEndOfTime;
  return exists && rule.at < before ? std::optional(Found{rule.at}) : std::nullopt;
}

}  // namespace

EveryRule EveryRule::aligned_to(Instant anchor, Duration interval) {
  return {.interval = interval, .phase = floor_modulo(anchor.since_origin(), interval)};
}

Rhythm::Rhythm(const Rule& rule, Options options) : rule_(rule), options_(std::move(options)) {
  Hasher hasher;
  hasher.add(rule_.index());
  std::visit([&](const auto& kind) { add_to(hasher, kind); }, rule_);
  hasher.add(static_cast<std::uint64_t>(options_.shift.count()));
  hasher.add(std::hash<const Calendar*>{}(options_.calendar.get()));
  hasher.add(static_cast<std::uint64_t>(options_.policy));
  hash_ = hasher.result();
}

Occurrence Rhythm::occurrence(Instant unshifted, bool after_gap) const {
  const Tick tick(unshifted + options_.shift);
  if (after_gap && options_.gap == DstGap::kSkip) return {tick, Exclusion::kDstGap};
  if (options_.calendar == nullptr || !is_closed(tick.instant())) return {tick};
  if (options_.policy == CalendarPolicy::kDelay) return delayed(tick);
  return {tick, Exclusion::kCalendar};
}

bool Rhythm::is_closed(Instant at) const {
  // The calendar sees the date as written, even when jitter carries the tick past midnight.
  const std::int64_t second = floor_unix_seconds(at - options_.shift);
  const std::int64_t day = floor_days(second + options_.zone->offset_at(second));
  if (options_.calendar->excludes(day)) return true;
  // A window with hours sees the tick where it is: nothing starts inside because of jitter.
  return options_.calendar->window_at(floor_unix_seconds(at), *options_.zone).has_value();
}

// One run is enough for all that was held back, and a tick at the opening is as good as it.
Occurrence Rhythm::delayed(Tick tick) const {
  const auto opens = opens_after(tick);
  if (!opens) return {tick, Exclusion::kCalendar};
  if (has_tick(tick.instant(), std::min(*opens, options_.until))) {
    return {tick, Exclusion::kCoalesced};
  }
  return {tick, Exclusion::kNone, *opens - tick.instant()};
}

// When a closed calendar is open again. After a window jitter spreads what was held back, where the
// calendar lets it; after a day it does so by itself.
std::optional<Instant> Rhythm::opens_after(Tick tick) const {
  const Instant last = tick.instant() + kLongestDelay;
  Instant at = tick.instant();
  bool was_window = false;
  while (at <= last && is_closed(at)) {
    was_window = options_.calendar->window_at(floor_unix_seconds(at), *options_.zone).has_value();
    at = from_unix_seconds(floor_unix_seconds(std::max(at, end_of_exclusion(at))) + 1);
  }
  if (at > last) return std::nullopt;
  const Instant spread = at + options_.shift;
  return was_window && !is_closed(spread) ? spread : at;
}

// Whether a tick lies in (after, through] that is not skipped for a gap.
bool Rhythm::has_tick(Instant after, Instant through) const {
  Instant at = within_time(after) - options_.shift;
  const Instant last = through - options_.shift;
  while (const auto found =
             std::visit([&](const auto& rule) { return next_of(rule, at); }, rule_)) {
    if (found->at > last) return false;
    if (!found->after_gap || options_.gap != DstGap::kSkip) return true;
    at = found->at;
  }
  return false;
}

std::optional<Occurrence> Rhythm::next(Instant after) const {
  const Instant from = within_time(after) - options_.shift;
  const auto found = std::visit([&](const auto& rule) { return next_of(rule, from); }, rule_);
  if (!found) return std::nullopt;
  return occurrence(found->at, found->after_gap);
}

std::optional<Occurrence> Rhythm::previous(Instant before) const {
  const Instant from = within_time(before) - options_.shift;
  const auto found = std::visit([&](const auto& rule) { return previous_of(rule, from); }, rule_);
  if (!found) return std::nullopt;
  return occurrence(found->at, found->after_gap);
}

// The last second of the window that an instant lies in; or else of its local day, or the last
// before the clocks change on that day.
Instant Rhythm::end_of_exclusion(Instant at) const {
  const auto window = options_.calendar->window_at(floor_unix_seconds(at), *options_.zone);
  if (window) return std::max(at, from_unix_seconds(window->end - 1));
  const std::int64_t second = floor_unix_seconds(at - options_.shift);
  const ZoneSpan& span = options_.zone->span(options_.zone->span_index_at(second));
  const std::int64_t day_end =
      (floor_days(second + span.offset) + 1) * kSecondsPerDay - span.offset - 1;
  return from_unix_seconds(std::min(day_end, span.end - 1)) + options_.shift;
}

std::optional<Occurrence> Rhythm::next_run(Instant after) const {
  constexpr int kMostSteps = 50'000;         // over a century of excluded days
  if (delays() && after < Instant::max()) {  // one that has come and waits
    const auto last = previous(after + Duration(1));
    if (last && last->exclusion == Exclusion::kNone && last->starts() > after) return last;
  }
  for (int i = 0; i < kMostSteps; ++i) {
    const auto found = next(after);
    if (!found || found->exclusion == Exclusion::kNone) return found;
    after = found->tick.instant();
    if (found->exclusion == Exclusion::kCalendar) after = end_of_exclusion(after);
    if (found->exclusion == Exclusion::kCoalesced) after = before_newest(found->tick);
  }
  return std::nullopt;
}

// The instant before the tick that stands for one that is held back, or before one on the way.
Instant Rhythm::before_newest(Tick held) const {
  const Instant opens = std::min(opens_after(held).value_or(held.instant()), options_.until);
  auto newest = previous(opens + Duration(1));
  while (newest && newest->exclusion == Exclusion::kDstGap) {
    newest = previous(newest->tick.instant());
  }
  return newest && newest->tick > held ? newest->tick.instant() - Duration(1) : held.instant();
}

}  // namespace belfry::core
