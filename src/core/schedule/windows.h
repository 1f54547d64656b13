#pragma once

#include "base/result.h"
#include "core/schedule/zone.h"
#include "core/schedule/zone_catalog.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace belfry::core {

// Stretches of time with hours: what a calendar closes besides whole days.
//
// A window is written in civil times [begin, end). It covers the instants from the first at which
// the wall clock shows `begin` or later up to the last at which it shows less than `end`. So a
// window is one stretch also on a night on which the clocks change: an end that comes twice is the
// second one, and one that the clocks jump over is the jump.
class Windows {
 public:
  // Instants [begin, end), in Unix seconds.
  struct Stretch {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    friend bool operator==(const Stretch&, const Stretch&) = default;
  };

  // Whether a rule is meant as a window: it has a time of day in it, or counts days of a period.
  static bool is_window(std::string_view rule);

  // Adds one of
  //   FRI 18:00..MON 06:00           from one time of the week to another
  //   MON-FRI 09:00..17:00           on each of these days; an end that is not later is tomorrow's
  //   22:00..06:00                   on every day
  //   last 3 days of quarter         or `first day of month`, `first 5 days of year`
  //   2026-12-24T18:00..2026-12-27T06:00    once; with `Z` at both ends: these instants
  // each with a zone behind it (`... Europe/Berlin`), or else in the zone of the job.
  Status add(std::string_view rule, ZoneCatalog& zones);

  // Call it after the last add() and before the first question.
  void seal();

  // The window that an instant lies in; of several, the one that ends last. The cost grows with the
  // rules that recur, and with the logarithm of those that do not.
  std::optional<Stretch> at(std::int64_t second, const Zone& job_zone) const;

  bool empty() const { return weekly_.empty() && periods_.empty() && once_.empty(); }

 private:
  // Civil seconds [begin, end).
  struct Civil {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  struct Weekly {
    const Zone* zone = nullptr;  // null: the job's
    Civil first;                 // the occurrence of the first week after 1970-01-04, a Sunday
  };
  struct Period {
    const Zone* zone = nullptr;
    int months = 1;
    int days = 1;
    bool at_end = false;
  };
  struct Once {
    const Zone* zone = nullptr;
    std::vector<Civil> stretches;  // sealed: ascending, not touching
  };

  Status add_weekly(std::string_view rule, std::string_view text, const Zone* zone);
  Status add_period(std::string_view rule, std::string_view text, const Zone* zone);
  Status add_once(std::string_view rule, std::string_view text, ZoneCatalog& zones,
                  const Zone* zone);

  std::vector<Weekly> weekly_;
  std::vector<Period> periods_;
  std::vector<Once> once_;  // one for each zone
};

}  // namespace belfry::core
