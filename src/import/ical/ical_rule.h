#pragma once

#include "base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

// A recurrence rule (RFC 5545, section 3.3.10) over days: rules with hours, minutes or seconds of
// their own are refused.
namespace belfry::importer {

// `20261225` or `20261225T180000`, with or without `Z`, as civil seconds.
struct IcalTime {
  std::int64_t civil = 0;
  bool has_time = false;
  bool is_utc = false;
  friend bool operator==(const IcalTime&, const IcalTime&) = default;
};
std::optional<IcalTime> parse_ical_time(std::string_view text);

class IcalRule {
 public:
  enum class Frequency : std::uint8_t { kDaily, kWeekly, kMonthly, kYearly };

  static Result<IcalRule> parse(std::string_view text);

  // Visits the instances (civil seconds) in order, `start` first, until the rule ends, one lies
  // after `through`, or the visitor says false.
  void visit(std::int64_t start, std::int64_t through,
             const std::function<bool(std::int64_t)>& visitor) const;

  const std::optional<IcalTime>& until() const { return until_; }
  bool has_end() const { return until_ || count_; }

 private:
  struct Weekday {
    int ordinal = 0;  // 0: every one
    int day = 0;      // 0 = Sunday
  };

  Status set(std::string_view name, std::string_view value);
  std::vector<std::int64_t> days_of_period(std::int64_t start_day, std::int64_t index) const;
  std::vector<std::int64_t> days_of_month(int year, int month, int start_day_of_month) const;
  std::vector<std::int64_t> days_of_year(int year, std::int64_t start_day) const;
  bool fits_month(std::int64_t day) const;
  bool fits_weekday(std::int64_t day, std::int64_t first, std::int64_t last) const;

  Frequency frequency_ = Frequency::kDaily;
  std::int64_t interval_ = 1;
  std::optional<std::int64_t> count_;
  std::optional<IcalTime> until_;
  std::vector<Weekday> weekdays_;
  std::vector<int> month_days_;
  std::vector<int> months_;
  std::vector<int> positions_;
  int week_start_ = 1;
};

}  // namespace belfry::importer
