#include "core/cron/rule.h"

#include "core/schedule/civil.h"

#include <algorithm>

namespace belfry::core {
namespace {

// Civil time and UTC differ by less than this, in every zone and year we know.
constexpr std::int64_t kLargestOffset = std::int64_t{16} * 3600;

}  // namespace

bool CronRule::fires_after_gap(const ZoneSpan& span) const {
  if (expression_.is_interval) return false;
  const std::int64_t gap = span.gap_seconds();
  if (gap <= 0 || gap > kLongestGap) return false;
  return expression_.next_civil(span.civil_before) < span.civil_begin();
}

// The first civil time of a span that may fire: an overlap hides the times already shown.
std::int64_t CronRule::first_civil(const ZoneSpan& span) const {
  if (expression_.is_interval || overlap_ == DstOverlap::kBoth) return span.civil_begin();
  return std::max(span.civil_begin(), span.repeated_until);
}

std::optional<CronFire> CronRule::next(std::int64_t after) const {
  std::int64_t from = after + 1;
  std::size_t index = zone_->span_index_at(from);
  while (true) {
    const ZoneSpan& span = zone_->span(index);
    const std::int64_t civil =
        expression_.next_civil(std::max(from + span.offset, first_civil(span)));
    // A match on the span's very first instant is an ordinary fire, so it goes before the gap's.
    if (from == span.begin && civil != span.civil_begin() && fires_after_gap(span)) {
      return CronFire{from, true};
    }
    if (civil < span.civil_end()) return CronFire{civil - span.offset, false};
    if (index + 1 == zone_->span_count()) return std::nullopt;
    // Nothing in this span. Later wall times are later civil times, except just after an overlap,
    // so spans that end well before the match can be passed over: step to the next span when it is
    // near, else to the one just before the match. Without a match (kNever), only an overlap in the
    // next span can still bring one.
    ++index;
    const std::int64_t next_begin = zone_->span(index).begin;
    const bool near = next_begin - from < 2 * kSecondsPerDay;
    if (!near && civil == kNever) return std::nullopt;
    if (!near) index = std::max(index, zone_->span_index_at(civil - kLargestOffset));
    from = zone_->span(index).begin;
  }
}

std::optional<CronFire> CronRule::previous(std::int64_t before) const {
  std::int64_t from = before - 1;
  std::size_t index = zone_->span_index_at(from);
  while (true) {
    const ZoneSpan& span = zone_->span(index);
    const std::int64_t civil = expression_.previous_civil(from + span.offset);
    if (civil != kNever && civil >= first_civil(span)) {
      return CronFire{civil - span.offset, false};
    }
    if (index == 0) return std::nullopt;
    if (fires_after_gap(span)) return CronFire{span.begin, true};
    const bool near = from - span.begin < 2 * kSecondsPerDay;
    if (!near && civil == kNever) return std::nullopt;
    --index;
    if (!near) index = std::min(index, zone_->span_index_at(civil + kLargestOffset));
    from = zone_->span(index).end - 1;
  }
}

}  // namespace belfry::core
