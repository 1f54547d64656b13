#pragma once

#include "base/result.h"
#include "core/cron/expression.h"
#include "core/schedule/windows.h"
#include "core/schedule/zone_catalog.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::core {

// A named set of times at which a job does not run: holidays, weekends, freezes, windows with
// hours. A tick whose local date (in the job's zone) is in the set, or that lies in a window, is
// recorded as a skip, not forgotten.
class Calendar {
 public:
  // A rule is one of
  //   2026-12-25               a date
  //   2026-12-24..2027-01-02   a stretch of dates, both ends included
  //   SAT,SUN  or  MON-FRI     weekdays
  //   25 DEC *  or  * NOV THU#4    the three day fields of a cron expression
  // or a window with hours, see windows.h. Its zones stay valid as long as the catalog.
  static Result<Calendar> make(std::string name, std::span<const std::string> rules,
                               ZoneCatalog& zones);

  const std::string& name() const { return name_; }

  // Whether a civil day (days since 1970-01-01, see civil.h) is in the set.
  bool excludes(std::int64_t day) const;

  // The window with hours that an instant (Unix seconds) lies in; `zone` is the job's.
  std::optional<Windows::Stretch> window_at(std::int64_t second, const Zone& zone) const {
    return windows_.empty() ? std::nullopt : windows_.at(second, zone);
  }

 private:
  struct Stretch {
    std::int64_t first;
    std::int64_t last;
  };
  struct DayFields {
    std::uint16_t months;
    DayRule days;
  };

  Calendar() = default;
  Status add(std::string_view rule, ZoneCatalog& zones);

  std::string name_;
  std::vector<Stretch> stretches_;  // ascending, not touching
  std::vector<DayFields> day_fields_;
  Windows windows_;
};

// Rules as one text, one to a line, and back. A rule that make() accepts has no line break in it.
std::string join_rules(std::span<const std::string> rules);
std::vector<std::string> split_rules(std::string_view text);

}  // namespace belfry::core
