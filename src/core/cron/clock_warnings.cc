#include "core/cron/clock_warnings.h"

#include "core/cron/words.h"
#include "core/schedule/civil.h"

#include <string>
#include <utility>

namespace belfry::core {
namespace {

constexpr std::int64_t kLookAhead = std::int64_t{3} * 366 * kSecondsPerDay;
constexpr std::uint32_t kAllHours = 0xff'ffff;

// The wall times [begin, end) that a clock change leaves out or shows twice.
struct WallTimes {
  std::int64_t begin;
  std::int64_t end;
  bool missing;  // else: repeated
};

WallTimes affected_by(const ZoneSpan& span) {
  if (span.gap_seconds() > 0) return {span.civil_before, span.civil_begin(), true};
  return {span.civil_begin(), span.repeated_until, false};
}

// The matches among some wall times: "02:30", "02:15 and 02:45", "02:00, 02:05, … 02:55".
struct Matches {
  std::string times;
  bool several;
};

Matches matches_in(const CronExpression& expression, const WallTimes& wall) {
  constexpr std::size_t kMostTimes = 4;
  std::vector<std::string> times;
  std::int64_t civil = expression.next_civil(wall.begin);
  for (; civil < wall.end && times.size() < kMostTimes; civil = expression.next_civil(civil + 1)) {
    times.push_back(time_of(civil));
  }
  const bool several = times.size() > 1;
  if (civil >= wall.end) return {in_list(times), several};
  const std::string last = time_of(expression.previous_civil(wall.end - 1));
  return {times[0] + ", " + times[1] + ", … " + last, several};
}

// True when all matches of the day are among `wall`.
bool is_all_of_its_day(const CronExpression& expression, const WallTimes& wall) {
  const std::int64_t day = floor_days(wall.begin) * kSecondsPerDay;
  return expression.next_civil(day) >= wall.begin &&
         expression.next_civil(wall.end) >= day + kSecondsPerDay;
}

// What a job about a time of day does when the time is missing.
std::string instead_of_missing(const CronRule& rule, const ZoneSpan& span, bool gap_skips,
                               bool several) {
  if (span.gap_seconds() > kLongestGap) return several ? "they do not run" : "it does not run";
  if (gap_skips) return several ? "they are skipped" : "it is skipped";
  std::string after = time_of(span.civil_begin());
  if (floor_days(span.civil_begin()) != floor_days(span.civil_before)) {
    after += " on " + date_of(span.civil_begin());
  }
  const bool due_anyway = rule.expression().next_civil(span.civil_begin()) == span.civil_begin();
  if (due_anyway) return "the run at " + after + " stands for " + (several ? "them" : "it");
  return several ? "it runs once instead, at " + after : "it runs at " + after + " instead";
}

std::string consequence(const CronRule& rule, const ZoneSpan& span, bool gap_skips, bool several) {
  const CronExpression& expression = rule.expression();
  const WallTimes wall = affected_by(span);
  if (wall.missing && !expression.is_interval) {
    return instead_of_missing(rule, span, gap_skips, several);
  }
  if (wall.missing) {
    return is_all_of_its_day(expression, wall) ? "it does not run at all that day"
                                               : "it does not run then";
  }
  if (expression.is_interval) return "it runs both times";
  return std::string(several ? "each runs " : "it runs ") +
         (rule.overlap() == DstOverlap::kBoth ? "both times" : "the first time only");
}

Warning warning_about(const CronRule& rule, std::size_t index, bool gap_skips) {
  const ZoneSpan& span = rule.zone().span(index);
  const WallTimes wall = affected_by(span);
  const std::int64_t first = rule.expression().next_civil(wall.begin);
  const Matches matches = matches_in(rule.expression(), wall);
  std::string message = "On " + date_of(first) + " " + matches.times;
  if (wall.missing) {
    message += matches.several ? " do not exist in " : " does not exist in ";
  } else {
    message += matches.several ? " happen twice in " : " happens twice in ";
  }
  message += rule.zone().name() + "; ";
  message += consequence(rule, span, gap_skips, matches.several);
  std::string code = wall.missing ? "dst_gap" : "dst_overlap";
  if (rule.expression().is_interval) code = "dst_interval";
  const std::int64_t offset_before = rule.zone().span(index - 1).offset;
  return {std::move(code), std::move(message), wall.missing ? span.begin : first - offset_before};
}

// A rhythm that has every hour goes on through every clock change: nothing to warn of.
bool goes_through(const CronExpression& expression) {
  return expression.is_interval && expression.hours == kAllHours;
}

}  // namespace

std::vector<Warning> clock_warnings(const CronRule& rule, bool gap_skips, std::int64_t from) {
  const CronExpression& expression = rule.expression();
  std::vector<Warning> warnings;
  if (goes_through(expression)) return warnings;
  bool told_gap = false;
  bool told_overlap = false;
  // Nothing matches in [searched_from, match): changes in between need no search of their own,
  // which matters when the next match is a century away.
  std::int64_t searched_from = kNever;
  std::int64_t match = kNever;
  const Zone& zone = rule.zone();
  for (std::size_t i = zone.span_index_at(from) + 1; i < zone.span_count(); ++i) {
    if (zone.span(i).begin > from + kLookAhead || (told_gap && told_overlap)) break;
    const WallTimes wall = affected_by(zone.span(i));
    bool& told = wall.missing ? told_gap : told_overlap;
    if (told || (wall.begin >= searched_from && wall.end <= match)) continue;
    searched_from = wall.begin;
    match = expression.next_civil(wall.begin);
    if (match >= wall.end) continue;
    told = true;
    warnings.push_back(warning_about(rule, i, gap_skips));
  }
  return warnings;
}

std::vector<Warning> all_clock_warnings(const CronRule& rule, bool gap_skips, std::int64_t from,
                                        std::int64_t through) {
  std::vector<Warning> warnings;
  if (goes_through(rule.expression())) return warnings;
  const Zone& zone = rule.zone();
  for (std::size_t i = zone.span_index_at(from) + 1; i < zone.span_count(); ++i) {
    if (zone.span(i).begin > through) break;
    const WallTimes wall = affected_by(zone.span(i));
    if (rule.expression().next_civil(wall.begin) >= wall.end) continue;
    warnings.push_back(warning_about(rule, i, gap_skips));
  }
  return warnings;
}

}  // namespace belfry::core
