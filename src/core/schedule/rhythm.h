#pragma once

#include "base/time.h"
#include "core/cron/rule.h"
#include "core/schedule/calendar.h"
#include "core/schedule/zone.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace belfry::core {

// What a job about a time of day does when the clocks jump over that time.
enum class DstGap : std::uint8_t { kRunAfter, kSkip };

// Why a tick does not become a run although the schedule names it. The ledger records it.
enum class Exclusion : std::uint8_t { kNone, kCalendar, kDstGap };

// One tick of a schedule.
struct Occurrence {
  Tick tick;
  Exclusion exclusion = Exclusion::kNone;

  friend bool operator==(const Occurrence&, const Occurrence&) = default;
};

// A fixed interval: anchor + n * interval for every whole n, in real time, whatever the clocks do.
struct EveryRule {
  Duration interval{};
  Duration phase{};  // anchor modulo interval: two anchors with one phase are one rhythm

  static EveryRule aligned_to(Instant anchor, Duration interval);
  friend bool operator==(const EveryRule&, const EveryRule&) = default;
};

// One instant.
struct OnceRule {
  Instant at;
  friend bool operator==(const OnceRule&, const OnceRule&) = default;
};

// The ticks of a schedule without its bounds: what any number of jobs can share. Compares by
// meaning, so that jobs written differently but ticking together are kept as one (see timetable.h).
class Rhythm {
 public:
  using Rule = std::variant<CronRule, EveryRule, OnceRule>;

  struct Options {
    Duration shift{};  // jitter: every tick this much later
    DstGap gap = DstGap::kRunAfter;
    // Shared because a calendar is edited while schedules that use the old version still run.
    std::shared_ptr<const Calendar> calendar;
    const Zone* zone = nullptr;  // the zone of the calendar's dates; needed only with a calendar
    friend bool operator==(const Options&, const Options&) = default;
  };

  explicit Rhythm(const Rule& rule) : Rhythm(rule, Options{}) {}
  Rhythm(const Rule& rule, Options options);

  // The first tick strictly after / last tick strictly before an instant, excluded ones included.
  // Ticks exist from 1970 through kLastYear.
  std::optional<Occurrence> next(Instant after) const;
  std::optional<Occurrence> previous(Instant before) const;

  // The first tick after an instant that is not excluded: when it will really run. Passes over all
  // excluded ticks of a day or window at once, and gives up after a century of excluded days.
  std::optional<Tick> next_run(Instant after) const;

  const Rule& rule() const { return rule_; }
  const Options& options() const { return options_; }

  std::size_t hash() const { return hash_; }
  friend bool operator==(const Rhythm& a, const Rhythm& b) {
    return a.hash_ == b.hash_ && a.rule_ == b.rule_ && a.options_ == b.options_;
  }

 private:
  Occurrence occurrence(Instant unshifted, bool after_gap) const;
  Instant end_of_exclusion(Tick tick) const;

  Rule rule_;
  Options options_;
  std::size_t hash_;  // kept, because a timetable asks for it with every job it loads
};

}  // namespace belfry::core
