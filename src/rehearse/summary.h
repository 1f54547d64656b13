#pragma once

#include "base/time.h"
#include "core/schedule/zone_catalog.h"
#include "rehearse/diary.h"
#include "rehearse/plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace belfry::rehearse {

// What became of one job, or of all of them.
struct Tally {
  std::int64_t fires = 0;
  std::int64_t late = 0;  // fires later than their ticks
  Duration latest{};      // the worst of them
  std::map<core::SkipReason, std::int64_t> skips;
  std::int64_t replaced = 0;
  std::int64_t timed_out = 0;  // attempts
  std::int64_t died = 0;
  std::optional<Instant> first_fire;
  std::optional<Instant> last_fire;

  std::int64_t skipped() const;
  void add(const Event& event);
};

// A minute, and the jobs that fired in it, each as often as it did.
struct BusyMinute {
  Instant at;
  std::size_t fires = 0;
  std::vector<std::size_t> jobs;
};

// The first time that runs of a job were in each other's way.
struct Overlap {
  std::size_t job = 0;
  Event first;
  std::int64_t ticks = 0;     // that found another run in their way
  std::int64_t waited = 0;    // runs that began later for it
  std::int64_t replaced = 0;  // runs that were ended by newer ones
};

// What a change of the clocks does to jobs, in words.
struct ClockSurprise {
  Instant at;
  std::string code;  // core/cron/warnings.h
  std::string message;
  std::vector<std::size_t> jobs;
};

struct Summary {
  Tally all;
  std::vector<Tally> jobs;               // as in the plan
  std::vector<BusyMinute> busiest;       // the worst first
  std::vector<Overlap> overlaps;         // by job
  std::vector<ClockSurprise> surprises;  // in the order of time
};

// Reads a diary, event by event, and says in the end what it amounts to.
class Summariser {
 public:
  static constexpr std::size_t kBusiest = 3;

  explicit Summariser(const Plan& plan) : plan_(plan) { summary_.jobs.resize(plan.jobs.size()); }

  void add(const Event& event);
  Summary finish(core::ZoneCatalog& zones);

 private:
  void count_fire(const Event& event);
  void note_overlap(const Event& event);
  void close_minute();

  const Plan& plan_;
  Summary summary_;
  BusyMinute minute_;
  std::map<std::size_t, Overlap> overlaps_;
};

// What the clock changes of the plan's time do to its jobs.
std::vector<ClockSurprise> clock_surprises(const Plan& plan, core::ZoneCatalog& zones);

}  // namespace belfry::rehearse
