#pragma once

#include "base/time.h"
#include "core/schedule/schedule.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Minutes in which many jobs start together, and changes of their schedules that would halve them.
namespace belfry::core {

// A change of one field that spreads a schedule.
struct HerdSpread {
  std::string field;  // `cron_expression` or `jitter`
  std::string before;
  std::string after;
  ScheduleSpec spec;  // with the change
};

// `H` for the minute of a cron expression that runs in every hour, jitter for other schedules; none
// for one that is spread already, or cannot be.
std::optional<HerdSpread> spreading(const ScheduleSpec& spec);

// A job that runs by itself: with the key and the calendar of its schedule.
struct HerdJob {
  ScheduleSpec spec;
  Instant after;  // of its ticks, those after this
};

// How many runs of a schedule start in the minute that begins at `minute`.
std::size_t starts_in(const Schedule& schedule, Instant after, Instant minute);

struct HerdChange {
  std::size_t job = 0;  // its place among those asked about
  HerdSpread spread;
};

// How many runs of all these jobs start in a minute, now and with all changes.
struct HerdMinute {
  Instant at;
  std::size_t before = 0;
  std::size_t after = 0;
  std::vector<std::size_t> jobs;  // those that have a run in it, by their places
};

struct HerdAdvice {
  std::vector<HerdMinute> minutes;  // in the order asked
  std::vector<HerdChange> changes;
};

// `asked` are full minutes. No more changes than it takes to halve each, the first one first. Each
// was tried: the numbers are those of the schedules as they would be. A schedule that does not
// compile has no runs.
HerdAdvice advise(std::span<const HerdJob> jobs, std::span<const Instant> asked,
                  ZoneCatalog& zones);

}  // namespace belfry::core
