#include "core/timetable/forecast.h"

#include "core/timetable/event_queue.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <variant>

namespace belfry::core {
namespace {

// How many ticks follow a given one within its minute, where that can be said without computing
// each: it makes the forecast of a per-second schedule sixty times cheaper. Zero where it cannot.
std::int64_t more_this_minute(const CronRule& rule, Duration shift, Instant tick) {
  if (std::has_single_bit(rule.expression().seconds)) return 0;
  if (shift % std::chrono::minutes(1) != Duration::zero()) return 0;
  const std::int64_t at = floor_unix_seconds(tick - shift);
  const std::int64_t minute = at - at % 60;
  const ZoneSpan& span = rule.zone().span(rule.zone().span_index_at(at));
  const bool undisturbed = span.offset % 60 == 0 && minute >= span.begin && minute + 60 <= span.end;
  // A tick after a gap stands at a second that need not match.
  const bool matches = (rule.expression().seconds >> (at % 60) & 1U) != 0;
  if (!undisturbed || !matches) return 0;
  return std::popcount(rule.expression().seconds >> (at % 60)) - 1;
}
std::int64_t more_this_minute(const EveryRule& rule, Duration, Instant tick) {
  const Instant end = Instant(std::chrono::minutes(EventQueue::minute_of(tick) + 1));
  return (end - tick - Duration(1)) / rule.interval;
}
std::int64_t more_this_minute(const OnceRule&, Duration, Instant) {
  return 0;
}

}  // namespace

void ForecastWindow::add_at(std::int64_t minute, std::int64_t runs) {
  counts_[static_cast<std::size_t>(minute - first_minute_)] += runs;
}

void ForecastWindow::add(const Rhythm& rhythm, std::int64_t jobs, Instant after, Instant until) {
  const Instant begin = Instant(std::chrono::minutes(first_minute_));
  const Instant end = begin + std::chrono::minutes(counts_.size());
  const Instant last = std::min(until, end - Duration(1));
  Instant at = std::max(after, begin - Duration(1));
  while (true) {
    const auto occurrence = rhythm.next(at);
    if (!occurrence || occurrence->tick.instant() > last) return;
    at = occurrence->tick.instant();
    const std::int64_t minute = EventQueue::minute_of(at);
    std::int64_t ticks = 1;
    const Instant minute_end = Instant(std::chrono::minutes(minute + 1));
    // At the very end of the stretch every tick is looked at; so it is under a calendar, whose days
    // need not begin with a minute.
    if (minute_end <= last + Duration(1) && rhythm.options().calendar == nullptr) {
      const std::int64_t more = std::visit(
          [&](const auto& rule) { return more_this_minute(rule, rhythm.options().shift, at); },
          rhythm.rule());
      if (more > 0) at = minute_end - Duration(1);
      ticks += more;
    }
    if (occurrence->exclusion == Exclusion::kNone) add_at(minute, ticks * jobs);
  }
}

}  // namespace belfry::core
