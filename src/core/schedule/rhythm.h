#pragma once

#include "base/time.h"
#include "core/cron/rule.h"
#include "core/schedule/calendar.h"
#include "core/schedule/zone.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace belfry::core {

// What a job about a time of day does when the clocks jump over that time.
enum class DstGap : std::uint8_t { kRunAfter, kSkip };

// What becomes of ticks that the calendar closes: they are skipped, or the newest of them runs when
// it opens again.
enum class CalendarPolicy : std::uint8_t { kSkip, kDelay };

// Why a tick does not become a run although the schedule names it. The ledger records it.
enum class Exclusion : std::uint8_t {
  kNone,
  kCalendar,
  kDstGap,
  kCoalesced,  // closed by a calendar that delays, and a later tick runs no later than it would
};

// A tick is delayed by no more than this; the calendar skips it if it stays closed for longer.
inline constexpr Duration kLongestDelay = std::chrono::hours(24 * 366);

// One tick of a schedule.
struct Occurrence {
  Tick tick;
  Exclusion exclusion = Exclusion::kNone;
  Duration delay{};  // of one that runs: from its instant to when the calendar opens again

  // When its run is due. Of two ticks that run, the later one starts later.
  Instant starts() const { return tick.instant() + delay; }

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
    CalendarPolicy policy = CalendarPolicy::kSkip;
    Instant until = Instant::max();  // with kDelay: later ticks do not come, and stand for none
    friend bool operator==(const Options&, const Options&) = default;
  };

  explicit Rhythm(const Rule& rule) : Rhythm(rule, Options{}) {}
  Rhythm(const Rule& rule, Options options);

  // The first tick strictly after / last tick strictly before an instant, excluded ones included.
  // Ticks exist from 1970 through kLastYear.
  std::optional<Occurrence> next(Instant after) const;
  std::optional<Occurrence> previous(Instant before) const;

  // The first tick that is not excluded and starts after an instant: when it really runs. Passes
  // over all excluded ticks of a day or window at once, and gives up after a century of them.
  std::optional<Occurrence> next_run(Instant after) const;

  bool delays() const { return options_.calendar && options_.policy == CalendarPolicy::kDelay; }

  const Rule& rule() const { return rule_; }
  const Options& options() const { return options_; }

  std::size_t hash() const { return hash_; }
  friend bool operator==(const Rhythm& a, const Rhythm& b) {
    return a.hash_ == b.hash_ && a.rule_ == b.rule_ && a.options_ == b.options_;
  }

 private:
  Occurrence occurrence(Instant unshifted, bool after_gap) const;
  Occurrence delayed(Tick tick) const;
  bool is_closed(Instant at) const;
  Instant end_of_exclusion(Instant at) const;
  std::optional<Instant> opens_after(Tick tick) const;
  bool has_tick(Instant after, Instant through) const;
  Instant before_newest(Tick held) const;

  Rule rule_;
  Options options_;
  std::size_t hash_;  // kept, because a timetable asks for it with every job it loads
};

}  // namespace belfry::core
