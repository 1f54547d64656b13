#pragma once

#include "base/time.h"
#include "core/job.h"
#include "core/reason.h"
#include "core/schedule/rhythm.h"
#include "core/schedule/schedule.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace belfry::core {

// A tick that is later than this was missed, whatever its job says ...
inline constexpr Duration kTickTolerance = std::chrono::seconds(10);
// ... and one that is no later than this was not.
inline constexpr Duration kPrompt = std::chrono::seconds(1);

// How late a tick of a job is still on time: as late as its grace allows, between these two.
Duration tolerance_of(const JobPolicies& policies);

// A tick that becomes a run.
struct RunTick {
  Tick tick;
  std::int64_t stands_for = 1;  // missed ticks it stands for, itself included
  std::optional<Instant> due;   // of a run that waits: it starts no earlier
  bool stands_in = false;       // missed, it is the only run for all that its job missed
  bool delayed = false;         // it waits for its calendar to open, and not in line
  friend bool operator==(const RunTick&, const RunTick&) = default;
};

// Ticks [first, last] that do not become runs.
struct SkippedTicks {
  Tick first;
  Tick last;
  std::int64_t count = 0;
  SkipReason reason{};
  friend bool operator==(const SkippedTicks&, const SkippedTicks&) = default;
};

// The fates of a job's ticks: every tick is in exactly one of the two lists, each ascending.
struct Fates {
  std::vector<RunTick> runs;
  std::vector<SkippedTicks> skips;
  friend bool operator==(const Fates&, const Fates&) = default;
};

// What is known of a job whose ticks in (after, through] have to be decided at `now`.
struct DueFacts {
  const Rhythm& rhythm;
  const JobPolicies& policies;
  JobStatus status = JobStatus::kActive;
  std::optional<Instant> paused_until;  // with kPaused: later ticks run
  Instant after;
  Instant through;
  Instant now;
  // Ticks up to here may have been decided before, in commits that the database has lost, and are
  // not to be decided to run a second time.
  Instant lost_through = Instant::min();
};

// Decides these ticks. Those on time run. The lateness of one that its calendar delays counts from
// when that opens. Missed ones go by the misfire policy:
//   kFireOnce   the newest runs and stands for the others (misfire_coalesced); if it is older than
//               the grace itself, all are misfire_expired
//   kSkip       misfire_skipped
//   kFireAll    those within the grace run, but no more than the newest max_missed_firings; the
//               older ones are misfire_expired or misfire_limit, whichever bound was tighter.
//               They run one after the other (core/catch_up_pace.h), so that catching up beside
//               the ticks of the present is at most twice the normal rate. Where a new run
//               replaces the old one only the newest counts, and nothing waits.
// Where a job's runs do not go side by side, several ticks that are due at once go by the policy
// too, even if all are on time: it would be the oldest that ran, and the newest that was skipped.
// Ticks of a paused job are skipped as `paused`, those up to `lost_through` as `commits_lost`,
// excluded ones for their own reason. Neighbouring
// ticks with one reason are one range, so a month of missed seconds costs a row, not millions.
Fates decide_due(const DueFacts& facts);

// A revision of a job, and the state it is in.
struct JobFacts {
  TenantId tenant;
  const JobDefinition& definition;
  JobStatus status = JobStatus::kActive;
  std::optional<Instant> paused_until;  // with kPaused: later ticks run
  Instant effective_from;               // ticks after this belong to it
};

// A stretch of time, (after, through], whose ticks are to be decided at `now`.
struct DueStretch {
  Instant after;
  Instant through;
  Instant now;
  Instant lost_through = Instant::min();  // as in DueFacts
};

// Decides the ticks of a job in a stretch, as far as its schedule's bounds let there be any.
Fates decide_job(const JobFacts& job, const Schedule& schedule, const DueStretch& stretch);

// The run of a tick that is not missed: it waits if its calendar opens later than `now`.
RunTick run_of(const Occurrence& found, Instant now);

// What an on-time tick becomes: the reason why it gets no run, if it gets none. `paused` is the
// job's paused_through().
std::optional<SkipReason> skip_on_time(Tick tick, Exclusion exclusion, Instant paused);

}  // namespace belfry::core
