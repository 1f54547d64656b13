#include "core/proof/check.h"

#include "base/text/instant_text.h"
#include "core/overlap.h"
#include "core/proof/stretches.h"
#include "core/schedule/tick_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace belfry::core {
namespace {

static_assert(kSkipReasons == static_cast<std::size_t>(SkipReason::kRestored) + 1);

std::string text_of(const FateRow& row) {
  const std::string decided =
      row.decided_at ? ", decided " + format_instant(*row.decided_at) : std::string();
  if (!row.skipped) {
    return fmt::format("a run of revision {}{}", row.revision, decided);
  }
  return fmt::format("a skip of {} from {} to {} ({}){}", row.count,
                     format_instant(row.first.instant()), format_instant(row.last.instant()),
                     name_of(*row.skipped), decided);
}

std::optional<SkipReason> reason_of(Exclusion exclusion) {
  switch (exclusion) {
    case Exclusion::kNone: return std::nullopt;
    case Exclusion::kCalendar: return SkipReason::kCalendar;
    case Exclusion::kDstGap: return SkipReason::kDstGap;
    case Exclusion::kCoalesced: return SkipReason::kCalendarCoalesced;
  }
  return std::nullopt;
}

// Whether a tick that is neither excluded nor paused may be skipped for this reason.
bool may_skip(SkipReason reason, const JobPolicies& policies) {
  switch (reason) {
    case SkipReason::kMisfireExpired: return policies.misfire != MisfirePolicy::kSkip;
    case SkipReason::kMisfireCoalesced: return policies.misfire == MisfirePolicy::kFireOnce;
    case SkipReason::kMisfireSkipped: return policies.misfire == MisfirePolicy::kSkip;
    case SkipReason::kMisfireLimit: return policies.misfire == MisfirePolicy::kFireAll;
    case SkipReason::kOverlap: return overlap_terms(policies).live_limit < kNoLimit;
    case SkipReason::kOverlapReplaced: return overlap_terms(policies).replaces;
    case SkipReason::kCommitsLost: return true;  // whatever the job says
    case SkipReason::kRestored: return true;     // whoever restored the store said so
    case SkipReason::kPaused:
    case SkipReason::kCancelled:
    case SkipReason::kCalendar:
    case SkipReason::kOutOfBounds:
    case SkipReason::kDstGap:
    case SkipReason::kQuota:
    case SkipReason::kScheduleChanged:
    case SkipReason::kCalendarCoalesced: return false;
  }
  return false;
}

bool is_lone(const FateRow& row, Tick tick) {
  return row.first == tick && row.last == tick;
}
bool covers(const FateRow& row, Tick tick) {
  return row.first <= tick && tick <= row.last;
}

// Ticks [first, last], without the exclusions that TickRange tells apart.
struct Ticks {
  Tick first;
  Tick last;
  std::int64_t count = 0;
};

// The ticks of a schedule in (after, through], as ranges of one exclusion each.
std::vector<TickRange> ranges_in(const Schedule& schedule, Instant after, Instant through) {
  std::vector<TickRange> ranges;
  TickWalk walk(schedule.rhythm(), std::max(after, schedule.begins_after()),
                std::min(through, schedule.end_at()));
  while (const auto range = walk.next_range()) ranges.push_back(*range);
  return ranges;
}

std::optional<Ticks> ticks_in(const Schedule& schedule, Instant after, Instant through) {
  const auto first = schedule.next(after);  // the usual answer is "none", without a walk
  if (!first || first->tick.instant() > through) return std::nullopt;
  Ticks all{.first = first->tick};
  for (const TickRange& range : ranges_in(schedule, after, through)) {
    all.last = range.last;
    all.count += range.count;
  }
  return all;
}

// Walks along the rows and the ticks of one job, each once.
class Check {
 public:
  Check(const ProofFacts& facts, ScheduleCache& schedules)
      : facts_(facts), schedules_(schedules), covered_(facts.after) {
    for (const FateRow& row : facts.rows) rows_.push_back(&row);
    std::ranges::stable_sort(rows_, {}, [](const FateRow* row) { return row->first; });
  }

  ProofVerdict take() {
    const auto stretches = stretches_of(facts_.revisions, facts_.after, facts_.through);
    settle_late_ticks(stretches);
    std::erase_if(rows_, [this](const FateRow* row) {
      return row->last.instant() <= facts_.after || row->first.instant() > facts_.through;
    });
    for (const ProofStretch& stretch : stretches) sweep(stretch);
    return std::move(verdict_);
  }

 private:
  std::optional<Schedule> schedule_of(const ProofStretch& stretch);
  bool is_of_its_time(Tick tick, std::span<const ProofStretch> stretches);
  void settle_late_ticks(std::span<const ProofStretch> stretches);
  void sweep(const ProofStretch& stretch);
  void look_at(const FateRow& row, const ProofStretch& stretch, const Schedule& schedule);
  void look_at_run(const FateRow& row, const ProofStretch& stretch, const Schedule& schedule);
  void look_at_skip(const FateRow& row, const ProofStretch& stretch, const Schedule& schedule);
  void look_at_times(const FateRow& row, const ProofStretch& stretch);
  void look_at_range(const FateRow& row, const TickRange& range, const ProofStretch& stretch);
  void count(const FateRow& row, const Schedule* schedule);
  void note(FlawKind kind, const Ticks& ticks, const ProofStretch& stretch, std::string evidence);
  void note(FlawKind kind, const FateRow& row, const ProofStretch& stretch, std::string evidence) {
    note(kind, Ticks{row.first, row.last, row.skipped ? row.count : 1}, stretch,
         std::move(evidence));
  }

  const ProofFacts& facts_;
  ScheduleCache& schedules_;
  std::vector<const FateRow*> rows_;
  std::size_t next_ = 0;          // of rows_
  Instant covered_;               // every tick up to here was looked for
  const FateRow* far_ = nullptr;  // the row that reaches farthest so far
  // Ticks since the last run that wait for one to stand for them; none: not known how many.
  std::optional<std::int64_t> coalesced_;
  ProofVerdict verdict_;
};

void Check::note(FlawKind kind, const Ticks& ticks, const ProofStretch& stretch,
                 std::string evidence) {
  if (verdict_.flaws.size() >= kMostFlaws) return;
  verdict_.flaws.push_back({.kind = kind,
                            .first = ticks.first,
                            .last = ticks.last,
                            .count = ticks.count,
                            .revision = stretch.law == nullptr ? 0 : stretch.law->revision,
                            .evidence = std::move(evidence)});
}

std::optional<Schedule> Check::schedule_of(const ProofStretch& stretch) {
  const auto unproven = [&](std::string why) {
    verdict_.unproven.push_back({stretch.after, stretch.through, std::move(why)});
    return std::nullopt;
  };
  if (stretch.is_unknown) return unproven("revisions from before are missing");
  const JobDefinition& job = stretch.law->definition;
  if (job.name.empty()) {
    return unproven("the revision is older than Belfry's keeping all that decides ticks");
  }
  auto schedule = schedules_.of(facts_.tenant, job.name, job.schedule);
  if (!schedule) return unproven("the schedule no longer compiles: " + schedule.error().message);
  return *std::move(schedule);
}

// Whether the definition that was in force at a tick has it: then that decided it, like any other.
bool Check::is_of_its_time(Tick tick, std::span<const ProofStretch> stretches) {
  const auto in_force = std::ranges::find_if(stretches, [&](const ProofStretch& stretch) {
    return stretch.after < tick.instant() && tick.instant() <= stretch.through;
  });
  if (in_force == stretches.end() || in_force->law == nullptr) return false;
  if (!can_tick(in_force->law->status)) return false;
  const JobDefinition& job = in_force->law->definition;
  const auto schedule = schedules_.of(facts_.tenant, job.name, job.schedule);
  return schedule && ticks_in(*schedule, tick.instant() - Duration(1), tick.instant());
}

// A tick that its own change decided lies where no other rule looks for it: its row is taken out.
void Check::settle_late_ticks(std::span<const ProofStretch> stretches) {
  for (const LateTick& late :
       late_ticks(facts_.tenant, facts_.revisions, facts_.after, schedules_)) {
    if (is_of_its_time(late.tick, stretches)) continue;
    const auto has = [&](const FateRow* row) { return covers(*row, late.tick); };
    if (std::ranges::none_of(rows_, has)) {
      if (late.law->effective_from > facts_.through) continue;  // a later look will say so
      note(FlawKind::kHole, Ticks{late.tick, late.tick, 1}, ProofStretch{.law = late.law},
           "its only instant was over when the definition took effect, and has no fate");
      continue;
    }
    const auto lone =
        std::ranges::find_if(rows_, [&](const FateRow* row) { return is_lone(*row, late.tick); });
    if (lone == rows_.end()) continue;
    // Counted where its definition began, once.
    if (late.law->effective_from <= facts_.through) count(**lone, nullptr);
    rows_.erase(lone);
  }
}

void Check::sweep(const ProofStretch& stretch) {
  covered_ = std::max(covered_, stretch.after);
  // What was missed under another definition is not made up for by a run of this one.
  if (stretch.after > facts_.after) coalesced_ = 0;
  const bool ticks =
      stretch.is_unknown || (stretch.law != nullptr && can_tick(stretch.law->status));
  const auto schedule = ticks ? schedule_of(stretch) : std::nullopt;
  for (; next_ < rows_.size() && rows_[next_]->first.instant() <= stretch.through; ++next_) {
    const FateRow& row = *rows_[next_];
    if (far_ != nullptr && row.first <= far_->last) {
      note(FlawKind::kDouble, Ticks{row.first, std::min(row.last, far_->last), 1}, stretch,
           text_of(*far_) + "; and " + text_of(row));
    } else if (!ticks) {
      note(FlawKind::kStray, row, stretch,
           fmt::format("the job {}; the ledger has {}",
                       stretch.law == nullptr ? "was not there yet" : "had no ticks then",
                       text_of(row)));
    } else if (schedule) {
      look_at(row, stretch, *schedule);
    } else {
      count(row, nullptr);
    }
    covered_ = std::max(covered_, row.last.instant());
    if (far_ == nullptr || row.last > far_->last) far_ = &row;
  }
  if (!schedule) return;
  if (const auto missing = ticks_in(*schedule, covered_, stretch.through)) {
    note(FlawKind::kHole, *missing, stretch, "the ledger has nothing");
  }
}

void Check::look_at(const FateRow& row, const ProofStretch& stretch, const Schedule& schedule) {
  if (const auto missing = ticks_in(schedule, covered_, row.first.instant() - Duration(1))) {
    note(FlawKind::kHole, *missing, stretch, "the ledger has nothing; next is " + text_of(row));
  }
  look_at_times(row, stretch);
  if (row.skipped) {
    look_at_skip(row, stretch, schedule);
  } else {
    look_at_run(row, stretch, schedule);
  }
  count(row, &schedule);
}

void Check::look_at_times(const FateRow& row, const ProofStretch& stretch) {
  if (row.decided_at && *row.decided_at < row.first.instant()) {
    note(FlawKind::kEarly, row, stretch, "decided before its tick: " + text_of(row));
  } else if (row.started_at && *row.started_at < row.first.instant()) {
    note(FlawKind::kEarly, row, stretch,
         "handed out " + format_instant(*row.started_at) + ", before its tick: " + text_of(row));
  }
}

void Check::look_at_run(const FateRow& row, const ProofStretch& stretch, const Schedule& schedule) {
  const Tick tick = row.first;
  const auto found = schedule.next(tick.instant() - Duration(1));
  const ProofRevision& law = *stretch.law;
  if (!found || found->tick != tick) {
    note(FlawKind::kStray, row, stretch, "no tick of the schedule; the ledger has " + text_of(row));
  } else if (const auto reason = reason_of(found->exclusion)) {
    note(FlawKind::kWrongFate, row, stretch,
         fmt::format("to be skipped ({}); the ledger has {}", name_of(*reason), text_of(row)));
  } else if (tick.instant() <= paused_through(law.status, law.paused_until)) {
    note(FlawKind::kWrongFate, row, stretch, "the job was paused; the ledger has " + text_of(row));
  } else if (row.revision < stretch.revisions.front().revision) {
    note(FlawKind::kWrongFate, row, stretch,
         "decided by a definition that no longer counted: " + text_of(row));
  } else if (row.started_at && *row.started_at >= tick.instant() &&
             *row.started_at < found->starts()) {
    note(FlawKind::kEarly, row, stretch,
         fmt::format("handed out {}, before its calendar opened at {}: {}",
                     format_instant(*row.started_at), format_instant(found->starts()),
                     text_of(row)));
  }
  if (coalesced_ && row.count != *coalesced_ + 1) {
    note(FlawKind::kWrongCount, row, stretch,
         fmt::format("stands for {} ticks, where {} wait for it: {}", row.count, *coalesced_ + 1,
                     text_of(row)));
  }
  coalesced_ = 0;
}

void Check::look_at_skip(const FateRow& row, const ProofStretch& stretch,
                         const Schedule& schedule) {
  const auto ranges = ranges_in(schedule, row.first.instant() - Duration(1), row.last.instant());
  const std::int64_t there = std::transform_reduce(ranges.begin(), ranges.end(), std::int64_t{0},
                                                   std::plus<>(), std::mem_fn(&TickRange::count));
  if (there == 0) {
    note(FlawKind::kStray, row, stretch, "no tick of the schedule; the ledger has " + text_of(row));
    return;
  }
  const bool fits = ranges.front().first == row.first && ranges.back().last == row.last;
  const bool is_of_one =
      row.first.instant() > stretch.law->effective_from && row.last.instant() <= stretch.until;
  if (there != row.count || !fits || !is_of_one) {
    note(FlawKind::kWrongCount, row, stretch,
         fmt::format("the schedule has {} ticks from {} to {}; the ledger has {}", there,
                     format_instant(ranges.front().first.instant()),
                     format_instant(ranges.back().last.instant()), text_of(row)));
  }
  for (const TickRange& range : ranges) look_at_range(row, range, stretch);
  const SkipReason reason = *row.skipped;
  if (reason == SkipReason::kMisfireCoalesced) {
    if (row.first.instant() <= facts_.after) coalesced_.reset();
    if (coalesced_) *coalesced_ += there;
  } else if (reason == SkipReason::kOverlap || reason == SkipReason::kOverlapReplaced) {
    coalesced_ = 0;  // the one that should have stood for them
  }
}

// One that has a reason of its own, and one that has none, cannot be in the same range.
void Check::look_at_range(const FateRow& row, const TickRange& range, const ProofStretch& stretch) {
  const ProofRevision& law = *stretch.law;
  const Instant paused = paused_through(law.status, law.paused_until);
  std::optional<SkipReason> wanted = reason_of(range.exclusion);
  if (!wanted && range.last.instant() <= paused) wanted = SkipReason::kPaused;
  const bool part_paused = !wanted && range.first.instant() <= paused;
  const bool allowed =
      wanted ? *row.skipped == *wanted
             : !part_paused && std::ranges::any_of(stretch.revisions, [&](const auto& revision) {
                 return may_skip(*row.skipped, revision.definition.policies);
               });
  if (allowed) return;
  note(FlawKind::kWrongFate, Ticks{range.first, range.last, range.count}, stretch,
       fmt::format("to be {}; the ledger has {}",
                   wanted ? "skipped (" + std::string(name_of(*wanted)) + ")"
                          : std::string("run, or skipped as its policies say"),
                   text_of(row)));
}

// Without a schedule all ticks of the row count; with one, those that lie in the window.
void Check::count(const FateRow& row, const Schedule* schedule) {
  if (!row.skipped) {
    ++verdict_.counts.runs;
    return;
  }
  std::int64_t ticks = row.count;
  const bool is_cut = row.first.instant() <= facts_.after || row.last.instant() > facts_.through;
  if (schedule != nullptr && is_cut) {
    const auto inside =
        ticks_in(*schedule, std::max(facts_.after, row.first.instant() - Duration(1)),
                 std::min(facts_.through, row.last.instant()));
    ticks = inside ? inside->count : 0;
  }
  verdict_.counts.skips[static_cast<std::size_t>(*row.skipped)] += ticks;
}

}  // namespace

std::string_view name_of(FlawKind kind) {
  switch (kind) {
    case FlawKind::kHole: return "hole";
    case FlawKind::kDouble: return "double";
    case FlawKind::kEarly: return "early";
    case FlawKind::kStray: return "stray";
    case FlawKind::kWrongFate: return "wrong_fate";
    case FlawKind::kWrongCount: return "wrong_count";
  }
  return "";
}

std::int64_t FateCounts::ticks() const {
  return std::reduce(skips.begin(), skips.end(), runs);
}

FateCounts& FateCounts::operator+=(const FateCounts& more) {
  runs += more.runs;
  for (std::size_t i = 0; i < skips.size(); ++i) skips[i] += more.skips[i];
  return *this;
}

ProofVerdict check_ledger(const ProofFacts& facts, ScheduleCache& schedules) {
  return Check(facts, schedules).take();
}

}  // namespace belfry::core
