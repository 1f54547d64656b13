#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/cron/field.h"
#include "core/schedule/rhythm.h"
#include "core/schedule/zone_catalog.h"

#include <optional>
#include <string>
#include <string_view>

namespace belfry::core {

// What a user writes; docs/concepts/schedules.md says what the fields mean.
struct ScheduleSpec {
  enum class Type : std::uint8_t { kCron, kEvery, kOnce };
  Type type = Type::kCron;

  std::string cron_expression;
  Dialect dialect = Dialect::kStandard;
  std::string timezone = "UTC";
  DstGap dst_gap = DstGap::kRunAfter;
  DstOverlap dst_overlap = DstOverlap::kFirst;

  Duration every{};
  Instant run_at;

  std::optional<Instant> start_at;
  std::optional<Instant> end_at;
  Duration jitter{};
  std::string calendar_name;   // as the user names it; empty: none
  std::string calendar_rules;  // what the name stands for, one rule to a line
  CalendarPolicy calendar_policy = CalendarPolicy::kSkip;
  // The same, ready-made, when many schedules share it; null: made from the rules.
  std::shared_ptr<const Calendar> calendar;

  // `tenant/job_name`: fixes what `H` and jitter draw for this job; see keyed_for.
  std::string key;
};

// A job's schedule: a rhythm, and the time it applies. No tick lies before start_at or after
// end_at; both ends are included.
class Schedule {
 public:
  // Checks and compiles. Errors name the field. A schedule without any tick is legal here.
  static Result<Schedule> make(const ScheduleSpec& spec, ZoneCatalog& zones);

  // The first tick strictly after / last tick strictly before an instant, excluded ones included.
  std::optional<Occurrence> next(Instant after) const;
  std::optional<Occurrence> previous(Instant before) const;

  // The first tick that is not excluded and starts after an instant: when it will really run. With
  // `begin`, of the ticks after that.
  std::optional<Occurrence> next_run(Instant after, Instant begin = Instant::min()) const;

  const Rhythm& rhythm() const { return rhythm_; }
  // The instant just before start_at: ticks after it are the schedule's, from the first on.
  Instant begins_after() const {
    return start_at_ == Instant::min() ? start_at_ : start_at_ - Duration(1);
  }
  Instant start_at() const { return start_at_; }
  Instant end_at() const { return end_at_; }

 private:
  Schedule(Rhythm rhythm, Instant start_at, Instant end_at)
      : rhythm_(std::move(rhythm)), start_at_(start_at), end_at_(end_at) {}

  Rhythm rhythm_;
  Instant start_at_;
  Instant end_at_;
};

// Refuses, with the reason, a schedule that would never run after `from`.
Status check_runs_at_all(const Schedule& schedule, Instant from);

// What a job's definition says, with the key that fixes `H` and jitter for this job.
ScheduleSpec keyed_for(TenantId tenant, std::string_view job_name, ScheduleSpec spec);

// The schedule of a job: how all who ask for one job's ticks come to the same.
Result<Schedule> compile_schedule(TenantId tenant, std::string_view job_name, ScheduleSpec spec,
                                  ZoneCatalog& zones);

// The delay of a job within its jitter window: whole seconds below `window`, fixed by its key.
Duration jitter_for(std::string_view key, Duration window);

}  // namespace belfry::core
