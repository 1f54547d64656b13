#pragma once

#include "core/cron/expression.h"
#include "core/schedule/zone.h"

#include <cstdint>
#include <optional>

namespace belfry::core {

// What a job about a time of day does with a wall time that is shown twice.
enum class DstOverlap : std::uint8_t { kFirst, kBoth };

// A longer jump is a change of calendar day (Samoa skipped 30 December 2011), not of the clocks:
// nothing fires for it.
inline constexpr std::int64_t kLongestGap = std::int64_t{3} * 3600;

// One answer of a cron rule, in Unix seconds.
struct CronFire {
  std::int64_t at = 0;
  bool after_gap =
      false;  // stands for wall times the clocks jumped over; it is the first instant after

  friend bool operator==(const CronFire&, const CronFire&) = default;
};

// A cron expression in a zone: the instants it names.
//
// The wall clock of a zone is a sequence of spans with a constant offset. In each span the civil
// times run on without a break, so the expression is searched there directly; what is special
// happens where two spans meet. For an interval job (`*/15 2 * * *`): nothing, it fires whenever
// the wall clock matches. For a job about a time of day (`30 2 * * *`):
//   gap:     if a match lies in the times jumped over, it fires once, at the first instant after
//            the gap (unless the gap is so long that it is missing time and not a clock change);
//   overlap: a time shown before is not fired again, unless `overlap` says both.
class CronRule {
 public:
  // `zone` must outlive the rule.
  CronRule(const CronExpression& expression, const Zone& zone, DstOverlap overlap)
      : expression_(expression), zone_(&zone), overlap_(overlap) {}

  // The first fire strictly after / last fire strictly before an instant; nullopt: there is none.
  std::optional<CronFire> next(std::int64_t after) const;
  std::optional<CronFire> previous(std::int64_t before) const;

  const CronExpression& expression() const { return expression_; }
  const Zone& zone() const { return *zone_; }
  DstOverlap overlap() const { return overlap_; }

  friend bool operator==(const CronRule&, const CronRule&) = default;

 private:
  bool fires_after_gap(const ZoneSpan& span) const;
  std::int64_t first_civil(const ZoneSpan& span) const;

  CronExpression expression_;
  const Zone* zone_;
  DstOverlap overlap_;
};

}  // namespace belfry::core
