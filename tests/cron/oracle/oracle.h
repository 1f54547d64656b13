#pragma once

#include <absl/time/civil_time.h>
#include <absl/time/time.h>
#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

// A second opinion on every cron answer: written from the text of the dialect alone, without a line
// of the engine, and slow on purpose. It walks the instants in order and asks of each "is it in the
// set?"; all it knows about zones is what Abseil reads off the wall clock at an instant.
namespace belfry::oracle {

struct Question {
  std::string expression;
  std::string zone;  // an IANA name
  bool quartz = false;
  bool gap_skip = false;      // a fixed time that falls into a gap does not fire at all
  bool overlap_both = false;  // a fixed time that occurs twice fires twice
  std::string key{};          // what `H` is resolved by; unused without an `H`
  std::int64_t anchor = 0;    // where `@every` counts from; unused otherwise
};

// The schedule never leaves these wall-clock years: the limits of the year field.
inline constexpr int kFirstYear = 1970;
inline constexpr int kLastYear = 2199;

class Oracle {
 public:
  // The error says in a few words why the question is refused; nobody may rely on its text.
  static tl::expected<Oracle, std::string> make(const Question& question);

  // The smallest firing in (after, after + give_up_after], in Unix seconds.
  std::optional<std::int64_t> next(std::int64_t after, std::int64_t give_up_after) const;

  // The largest firing in [before - give_up_after, before).
  std::optional<std::int64_t> previous(std::int64_t before, std::int64_t give_up_after) const;

  // Membership of a single instant, the definition that next and previous search by. Not for
  // `@every`, which has no wall clock.
  bool fires_at(std::int64_t instant) const;

  // Whether the fields alone admit this reading of the wall clock.
  bool matches_wall(absl::CivilSecond wall) const;

  // False for interval jobs: seconds (if written), minutes or hours begin with `*`.
  bool is_fixed_time() const { return fixed_time_; }

  // The two ways a clock change decides, for tests that want to know what they have hit.
  bool fires_for_a_gap_at(std::int64_t instant) const;
  bool is_silenced_second_pass(std::int64_t instant) const;

 private:
  friend class Parser;

  // An element of day-of-month that depends on the month.
  struct SpecialDay {
    enum class Kind { kFromEnd, kWeekdayNear, kWeekdayNearFromEnd, kLastWeekday };
    Kind kind;
    int n;  // a day of the month, or days before its last one
  };
  // An element of day-of-week that depends on the month: `FRI#2`, `FRIL` (k = 0).
  struct SpecialWeekday {
    int weekday;
    int k;
  };
  // The coarsest part of a reading that the fields do not admit.
  enum class Mismatch { kNone, kDate, kHour, kMinute, kSecond };

  Oracle() = default;

  bool matches_date(absl::CivilDay date) const;
  bool matches_day_of_month(absl::CivilDay date) const;
  bool matches_day_of_week(absl::CivilDay date) const;
  Mismatch first_mismatch(absl::CivilSecond wall) const;

  // How far the wall clock has to run on (or back) before the reading can match again: to the end
  // of the day, hour, minute or second that does not. Right only while no clock change intervenes.
  std::int64_t dead_time_after(absl::CivilSecond wall) const;
  std::int64_t dead_time_before(absl::CivilSecond wall) const;

  absl::CivilSecond wall_at(std::int64_t instant) const;
  std::int64_t offset_at(std::int64_t instant) const;
  std::int64_t first_change_after(std::int64_t instant) const;
  std::int64_t last_change_at_or_before(std::int64_t instant) const;

  absl::TimeZone zone_;
  bool gap_skip_ = false;
  bool overlap_both_ = false;
  bool fixed_time_ = true;

  std::set<int> seconds_;
  std::set<int> minutes_;
  std::set<int> hours_;
  std::set<int> days_;
  std::vector<SpecialDay> special_days_;
  bool day_of_month_open_ = false;
  std::set<int> months_;
  std::set<int> weekdays_;  // 0 = Sunday .. 6 = Saturday, in both dialects
  std::vector<SpecialWeekday> special_weekdays_;
  bool day_of_week_open_ = false;
  std::set<int> years_;

  std::int64_t every_ = 0;  // seconds; 0 when the expression has fields
  std::int64_t anchor_ = 0;
};

}  // namespace belfry::oracle
