#include "core/misfire.h"

#include "base/assert.h"
#include "core/catch_up_pace.h"
#include "core/schedule/tick_walk.h"

#include <algorithm>
#include <optional>

namespace belfry::core {
namespace {

SkipReason reason_of(Exclusion exclusion) {
  switch (exclusion) {
    case Exclusion::kCalendar: return SkipReason::kCalendar;
    case Exclusion::kDstGap: return SkipReason::kDstGap;
    case Exclusion::kCoalesced: return SkipReason::kCalendarCoalesced;
    case Exclusion::kNone: break;
  }
  BELFRY_ASSERT(exclusion != Exclusion::kNone);
  return SkipReason::kCalendar;
}

// Collects fates in tick order, joining neighbours.
class Ledger {
 public:
  void run(const RunTick& run) {
    fates_.runs.push_back(run);
    joinable_ = false;
  }
  void skip(const TickRange& range, SkipReason reason) {
    if (joinable_ && fates_.skips.back().reason == reason) {
      fates_.skips.back().last = range.last;
      fates_.skips.back().count += range.count;
    } else {
      fates_.skips.push_back({range.first, range.last, range.count, reason});
    }
    joinable_ = true;
  }
  Fates take() { return std::move(fates_); }

 private:
  Fates fates_;
  bool joinable_ = false;
};

// All ticks in (after, through]: excluded ones for their own reason, the rest for `reason`.
void skip_all(const Rhythm& rhythm, Instant after, Instant through, SkipReason reason,
              Ledger& ledger) {
  TickWalk walk(rhythm, after, through);
  while (const auto range = walk.next_range()) {
    const bool excluded = range->exclusion != Exclusion::kNone;
    ledger.skip(*range, excluded ? reason_of(range->exclusion) : reason);
  }
}

// All ticks in (after, through] that are not excluded run; at once, or spread.
void run_all(const DueFacts& facts, Instant after, Instant through,
             std::optional<CatchUpPace> spread, Ledger& ledger) {
  Instant at = after;
  while (const auto found = facts.rhythm.next(at)) {
    at = found->tick.instant();
    if (at > through) return;
    if (found->exclusion == Exclusion::kNone) {
      ledger.run(spread ? RunTick{.tick = found->tick, .due = spread->due(found->tick)}
                        : run_of(*found, facts.now));
    } else {
      ledger.skip({found->tick, found->tick, 1, found->exclusion}, reason_of(found->exclusion));
    }
  }
}

// The last tick in (after, through] that is not excluded.
std::optional<Occurrence> newest_runnable(const Rhythm& rhythm, Instant after, Instant through) {
  Instant before = through + Duration(1);
  while (const auto found = rhythm.previous(before)) {
    if (found->tick.instant() <= after) return std::nullopt;
    if (found->exclusion == Exclusion::kNone) return found;
    before = found->tick.instant();
  }
  return std::nullopt;
}

std::int64_t count_runnable(const Rhythm& rhythm, Instant after, Instant through) {
  std::int64_t count = 0;
  TickWalk walk(rhythm, after, through);
  while (const auto stride = walk.next_stride()) {
    if (stride->exclusion == Exclusion::kNone) count += stride->count;
  }
  return count;
}

// The instant after which exactly the newest `most` runnable ticks of (after, through] lie.
Instant start_of_newest(const Rhythm& rhythm, Instant after, Instant through, std::int64_t most) {
  Instant before = through + Duration(1);
  std::int64_t left = most;
  while (const auto found = rhythm.previous(before)) {
    if (found->tick.instant() <= after) return after;
    if (found->exclusion == Exclusion::kNone && left-- == 0) return found->tick.instant();
    before = found->tick.instant();
  }
  return after;
}

bool is_missed(const DueFacts& facts, const Occurrence& found) {
  return found.starts() < facts.now - tolerance_of(facts.policies);
}

// The instant that separates ticks of (after, through] that start before `limit` from the rest. Of
// those before `limit` only the newest can start later.
Instant last_starting_before(const Rhythm& rhythm, Instant after, Instant through, Instant limit) {
  const Instant last = std::clamp(limit - Duration(1), after, through);
  if (!rhythm.delays()) return last;
  const auto newest = newest_runnable(rhythm, after, last);
  return newest && newest->starts() >= limit ? newest->tick.instant() - Duration(1) : last;
}

void fire_once(const DueFacts& facts, Instant after, Instant through, Ledger& ledger) {
  const auto newest = newest_runnable(facts.rhythm, after, through);
  const bool missed = newest && is_missed(facts, *newest);
  const bool expired = missed && newest->starts() < facts.now - facts.policies.misfire_grace;
  if (!newest || expired) {
    return skip_all(facts.rhythm, after, through, SkipReason::kMisfireExpired, ledger);
  }
  const Instant at = newest->tick.instant();
  skip_all(facts.rhythm, after, at - Duration(1), SkipReason::kMisfireCoalesced, ledger);
  RunTick run = run_of(*newest, facts.now);
  run.stands_for = count_runnable(facts.rhythm, after, at);
  run.stands_in = missed;
  ledger.run(run);
  skip_all(facts.rhythm, at, through, SkipReason::kMisfireCoalesced, ledger);  // excluded ones only
}

// Of ticks that are due at once and cannot all run, one that is on time does.
void skip_missed(const DueFacts& facts, Instant after, Instant through, Ledger& ledger) {
  const auto newest = newest_runnable(facts.rhythm, after, through);
  if (!newest || is_missed(facts, *newest)) {
    return skip_all(facts.rhythm, after, through, SkipReason::kMisfireSkipped, ledger);
  }
  const Instant at = newest->tick.instant();
  skip_all(facts.rhythm, after, at - Duration(1), SkipReason::kMisfireSkipped, ledger);
  ledger.run(run_of(*newest, facts.now));
  skip_all(facts.rhythm, at, through, SkipReason::kMisfireSkipped, ledger);  // excluded ones only
}

void fire_all(const DueFacts& facts, Instant after, Instant through, Ledger& ledger) {
  const Instant from =
      last_starting_before(facts.rhythm, after, through, facts.now - facts.policies.misfire_grace);
  const Instant start =
      start_of_newest(facts.rhythm, from, through, facts.policies.max_missed_firings);
  const SkipReason reason = start > from ? SkipReason::kMisfireLimit : SkipReason::kMisfireExpired;
  skip_all(facts.rhythm, after, start, reason, ledger);
  const bool in_line = facts.policies.overlap != OverlapPolicy::kReplace;
  run_all(facts, start, through, in_line ? std::optional(CatchUpPace(facts.now)) : std::nullopt,
          ledger);
}

void decide_missed(const DueFacts& facts, Instant after, Instant through, Ledger& ledger) {
  switch (facts.policies.misfire) {
    case MisfirePolicy::kFireOnce: return fire_once(facts, after, through, ledger);
    case MisfirePolicy::kFireAll: return fire_all(facts, after, through, ledger);
    case MisfirePolicy::kSkip: return skip_missed(facts, after, through, ledger);
  }
}

// Up to where ticks of (after, through] go by the misfire policy; those after it simply run.
Instant missed_through(const DueFacts& facts, Instant after, Instant through) {
  const Instant missed =
      last_starting_before(facts.rhythm, after, through, facts.now - tolerance_of(facts.policies));
  if (facts.policies.overlap == OverlapPolicy::kAllow) return missed;
  const auto newest = newest_runnable(facts.rhythm, after, through);
  if (!newest) return missed;
  const Instant before_newest = newest->tick.instant() - Duration(1);
  if (!newest_runnable(facts.rhythm, after, before_newest)) return missed;
  if (facts.policies.misfire != MisfirePolicy::kFireAll) return through;
  return std::max(missed, before_newest);
}

}  // namespace

Duration tolerance_of(const JobPolicies& policies) {
  return std::clamp(policies.misfire_grace, kPrompt, kTickTolerance);
}

RunTick run_of(const Occurrence& found, Instant now) {
  if (found.starts() <= now || found.delay == Duration::zero()) return {.tick = found.tick};
  return {.tick = found.tick, .due = found.starts(), .delayed = true};
}

std::optional<SkipReason> skip_on_time(Tick tick, Exclusion exclusion, Instant paused) {
  if (exclusion != Exclusion::kNone) return reason_of(exclusion);
  if (tick.instant() <= paused) return SkipReason::kPaused;
  return std::nullopt;
}

Fates decide_due(const DueFacts& facts) {
  Ledger ledger;
  Instant after = facts.after;
  const Instant paused = std::min(facts.through, paused_through(facts.status, facts.paused_until));
  if (paused > after) {
    skip_all(facts.rhythm, after, paused, SkipReason::kPaused, ledger);
    after = paused;
  }
  const Instant lost = std::min(facts.through, facts.lost_through);
  if (lost > after) {
    skip_all(facts.rhythm, after, lost, SkipReason::kCommitsLost, ledger);
    after = lost;
  }
  const Instant through = std::max(after, facts.through);
  const Instant missed = missed_through(facts, after, through);
  if (missed > after) decide_missed(facts, after, missed, ledger);
  if (through > missed) run_all(facts, missed, through, std::nullopt, ledger);
  return ledger.take();
}

Fates decide_job(const JobFacts& job, const Schedule& schedule, const DueStretch& stretch) {
  const Instant after = std::max(stretch.after, schedule.begins_after());
  const Instant through = std::min(stretch.through, schedule.end_at());
  if (through <= after) return {};
  return decide_due({.rhythm = schedule.rhythm(),
                     .policies = job.definition.policies,
                     .status = job.status,
                     .paused_until = job.paused_until,
                     .after = after,
                     .through = through,
                     .now = stretch.now,
                     .lost_through = stretch.lost_through});
}

}  // namespace belfry::core
