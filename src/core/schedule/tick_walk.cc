#include "core/schedule/tick_walk.h"

#include <bit>
#include <chrono>
#include <variant>

namespace belfry::core {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

Instant end_of_minute(Instant at) {
  return Instant(std::chrono::floor<minutes>(at.since_origin()) + minutes(1));
}

// The ticks that follow a given one within its minute, where that can be said without computing
// each; none where it cannot.
struct Following {
  std::int64_t count = 0;
  Instant last;
};

Following following(const CronRule& rule, Duration shift, Instant tick) {
  const std::uint64_t second_set = rule.expression().seconds;
  if (std::has_single_bit(second_set) || shift % minutes(1) != Duration::zero()) return {};
  const std::int64_t at = floor_unix_seconds(tick - shift);
  const std::int64_t minute = at - at % 60;
  const ZoneSpan& span = rule.zone().span(rule.zone().span_index_at(at));
  const bool undisturbed = span.offset % 60 == 0 && minute >= span.begin && minute + 60 <= span.end;
  // A tick after a gap stands at a second that need not match.
  const bool matches = (second_set >> (at % 60) & 1U) != 0;
  if (!undisturbed || !matches) return {};
  const int last_second = 63 - std::countl_zero(second_set);
  return {std::popcount(second_set >> (at % 60)) - 1,
          from_unix_seconds(minute + last_second) + shift};
}
Following following(const EveryRule& rule, Duration, Instant tick) {
  const std::int64_t count = (end_of_minute(tick) - tick - Duration(1)) / rule.interval;
  return {count, tick + count * rule.interval};
}
Following following(const OnceRule&, Duration, Instant) {
  return {};
}

}  // namespace

std::optional<TickRange> TickWalk::next_stride() {
  const auto found = rhythm_.next(at_);
  if (!found || found->tick.instant() > through_) return std::nullopt;
  TickRange range{found->tick, found->tick, 1, found->exclusion, found->delay};
  at_ = found->tick.instant();
  // Near the end every tick is computed. So it is under a calendar, whose days need not begin with
  // a minute, and for a tick that is excluded itself.
  const bool plain = rhythm_.options().calendar == nullptr && found->exclusion == Exclusion::kNone;
  if (!plain || end_of_minute(at_) > through_) return range;
  const Following rest =
      std::visit([&](const auto& rule) { return following(rule, rhythm_.options().shift, at_); },
                 rhythm_.rule());
  if (rest.count == 0) return range;
  range.count += rest.count;
  range.last = Tick(rest.last);
  at_ = rest.last;
  return range;
}

std::optional<TickRange> TickWalk::next_range() {
  std::optional<TickRange> range = ahead_ ? ahead_ : next_stride();
  ahead_.reset();
  if (!range) return std::nullopt;
  while ((ahead_ = next_stride()) && ahead_->exclusion == range->exclusion &&
         ahead_->delay == range->delay) {
    range->last = ahead_->last;
    range->count += ahead_->count;
  }
  return range;
}

}  // namespace belfry::core
