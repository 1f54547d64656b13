#include "tests/sim/checker.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/overlap.h"
#include "tests/cron/oracle/oracle.h"
#include "tests/sim/freeze.h"

#include <algorithm>

namespace belfry::sim {
namespace {

using core::JobStatus;
using store::JobRow;

std::string text_of(Instant at) {
  return format_instant(at);
}

// The ticks of a definition in (after, through], by code that the engine does not share.
std::vector<std::int64_t> expected_ticks(const JobRow& job, Instant after, Instant through) {
  std::vector<std::int64_t> ticks;
  const core::ScheduleSpec& spec = job.definition.schedule;
  if (spec.type == core::ScheduleSpec::Type::kOnce) {
    if (spec.run_at > after && spec.run_at <= through) ticks.push_back(spec.run_at.micros());
    return ticks;
  }
  if (spec.type == core::ScheduleSpec::Type::kEvery) {
    const std::int64_t step = spec.every.count();
    const std::int64_t origin = spec.start_at ? spec.start_at->micros() : 0;
    for (std::int64_t n = (after.micros() - origin) / step - 1;; ++n) {
      const std::int64_t at = origin + n * step;
      if (at > through.micros()) break;
      if (at > after.micros() && (!spec.start_at || at >= origin)) ticks.push_back(at);
    }
    return ticks;
  }
  const auto oracle =
      oracle::Oracle::make({.expression = spec.cron_expression, .zone = spec.timezone});
  std::int64_t at = floor_unix_seconds(after);
  const std::int64_t end = floor_unix_seconds(through);
  while (at < end) {
    const auto next = oracle->next(at, end - at);
    if (!next) break;
    ticks.push_back(*next * 1'000'000);
    at = *next;
  }
  return ticks;
}

// The only instant of a definition gets its fate even if it was over before the definition
// took effect.
bool is_new_instant(const JobRow* before, const JobRow& job) {
  constexpr auto kOnce = core::ScheduleSpec::Type::kOnce;
  const core::ScheduleSpec& spec = job.definition.schedule;
  if (spec.type != kOnce) return false;
  if (before == nullptr) return true;
  const core::ScheduleSpec& old = before->definition.schedule;
  return old.type != kOnce || old.run_at != spec.run_at;
}

// What the freeze makes of a tick, besides.
struct Frozen {
  std::optional<core::SkipReason> skipped;
  Instant starts;
};

Frozen frozen(const JobRow& job, Instant tick) {
  const core::ScheduleSpec& spec = job.definition.schedule;
  if (spec.calendar_name.empty() || !is_frozen(tick)) return {.skipped = {}, .starts = tick};
  if (spec.calendar_policy == core::CalendarPolicy::kSkip) {
    return {.skipped = core::SkipReason::kCalendar, .starts = tick};
  }
  const Instant thaw = thaws_after(tick);
  if (expected_ticks(job, tick, thaw).empty()) return {.skipped = {}, .starts = thaw};
  return {.skipped = core::SkipReason::kCalendarCoalesced, .starts = tick};
}

bool is_of_calendar(core::SkipReason reason) {
  return reason == core::SkipReason::kCalendar || reason == core::SkipReason::kCalendarCoalesced;
}

constexpr Duration kMostLate = std::chrono::milliseconds(300);  // at a join or a leave

struct Expected {
  std::int64_t tick;
  bool must_skip;  // it fell into a pause
  std::optional<core::SkipReason> frozen;
};

}  // namespace

void Checker::violate(const std::string& property, const std::string& what) {
  if (violations_.size() < 20) violations_.push_back(property + ": " + what);
}

void Checker::note_job(const JobRow& job) {
  auto& known = revisions_[job.id];
  const bool same = !known.empty() && known.back().revision == job.revision &&
                    known.back().effective_from == job.effective_from;
  if (same) {
    known.back() = job;  // a pause prolonged before it began: the later word counts
    return;
  }
  if (!known.empty() && job.effective_from < known.back().effective_from) {
    violate("S9", "effective_from went back for job " + std::to_string(job.id.value()));
  }
  known.push_back(job);
}

// In all its revisions: a run keeps the policy it was decided under.
bool Checker::is_exclusive(JobId job) const {
  const auto known = revisions_.find(job);
  if (known == revisions_.end()) return false;
  return std::all_of(known->second.begin(), known->second.end(), [](const JobRow& row) {
    return core::overlap_terms(row.definition.policies).exclusive;
  });
}

void Checker::note_grant(const store::ClaimedRun& run, Instant granted, store::Store& truth) {
  // Workers hear of grants in any order, but each has a fence of its own, and those of a run grow.
  Fence& last = last_fence_[run.run];
  if (run.fence <= last) violate("S6", "a fence did not grow");
  last = std::max(last, run.fence);
  if (!fences_.insert(run.fence).second) violate("S6", "a fence was given twice");
  highest_fence_ = std::max(highest_fence_, run.fence);
  held_until_[{run.run, run.fence}] = std::min(run.lease_until, run.deadline);
  // A later attempt may come before the tick, if the database's clock has been set back since.
  if (run.scheduled_for > granted && run.attempt == AttemptNo(1)) {
    violate("S4", "a run was handed out before its tick");
  }
  check_thaw(run, granted, truth);
  if (expects_limit_ && run.job_type == kLimited) check_limit(truth);
  if (!is_exclusive(run.run.job)) return;
  const auto held = exclusive_grants_.find(run.run.job);
  if (held != exclusive_grants_.end()) {
    const auto still = truth.facts_of({&held->second, 1});
    if (still && !still->empty()) {
      violate("S7",
              "two runs of an exclusive job at once, job " + std::to_string(run.run.job.value()));
    }
  }
  exclusive_grants_[run.run.job] = {run.run, run.fence};
}

// The definition that a tick belongs to.
const JobRow* Checker::law_of(JobId job, Instant tick) const {
  const auto known = revisions_.find(job);
  if (known == revisions_.end()) return nullptr;
  for (auto row = known->second.rbegin(); row != known->second.rend(); ++row) {
    const core::ScheduleSpec& spec = row->definition.schedule;
    const bool is_once = spec.type == core::ScheduleSpec::Type::kOnce && spec.run_at == tick;
    if (is_once || row->effective_from < tick) return &*row;
  }
  return nullptr;
}

// S16: what a calendar delays starts when it opens, never before; unless somebody asked for it.
void Checker::check_thaw(const store::ClaimedRun& run, Instant granted, store::Store& truth) {
  const JobRow* law = law_of(run.run.job, run.scheduled_for);
  if (law == nullptr || run.attempt != AttemptNo(1) || retries_.contains(run.run)) return;
  const Frozen tick = frozen(*law, run.scheduled_for);
  if (tick.starts <= granted) return;
  const auto row = truth.find_run(run.run);
  if (!row || row->origin != core::RunOrigin::kSchedule) return;
  violate("S16", law->definition.name + " of " + text_of(run.scheduled_for) +
                     " was handed out before its calendar opened");
}

void Checker::check_limit(store::Store& truth) {
  const auto loads = truth.queue_loads();  // counts rows, and knows nothing of limits
  if (!loads) return violate("store", "live runs cannot be counted");
  for (const store::QueueLoad& load : *loads) {
    if (load.queue != kLimited || load.held <= kMostOfLimited) continue;
    violate("S15", std::to_string(load.held) + " runs of a type that may have " +
                       std::to_string(kMostOfLimited));
  }
}

void Checker::note_answer(const engine::Completion& completion, engine::CompletionAnswer answer,
                          Instant db_now, store::Store& truth) {
  const auto& [run, fence] = completion.grant;
  if (fence <= lost_through_) return;
  const auto written = truth.outcomes_of({&completion.grant, 1});
  if (!written) return violate("store", "an outcome cannot be read");
  const bool counts = written->front() == completion.outcome;
  if (answer == engine::CompletionAnswer::kFenced) {
    if (counts) violate("S5", "a worker was told FENCED though its report counts");
    const bool lost = fence.value() >> 40 < promotions_;  // with the server that gave it
    const auto until = held_until_.find(completion.grant);
    if (!lost && !written->front() && until != held_until_.end() && db_now < until->second) {
      violate("S7", "a worker lost its run while its lease held");
    }
    return;
  }
  if (!counts) violate("S5", "a worker was told OK though its report is not written");
  const auto held = exclusive_grants_.find(run.job);
  if (held != exclusive_grants_.end() && held->second.fence == fence) exclusive_grants_.erase(held);
  if (completion.outcome != core::AttemptOutcome::kSucceeded) return;
  if (succeeded_.emplace(run, fence).first->second != fence) {
    violate("S5", "a run was completed twice");
  }
}

void Checker::note_promotion(Known known) {
  ++promotions_;
  revisions_ = std::move(known.revisions);
  succeeded_ = std::move(known.succeeded);
  lost_through_ = highest_fence_;
  stop_by_.clear();  // the cancellations may be lost as well
}

void Checker::check_unstuck(const store::RunGrant& grant, store::Store& truth) {
  const auto still = truth.facts_of({&grant, 1});
  if (still && !still->empty()) violate("S14", "an unstuck run is still its worker's");
}

// L10: whatever its worker does, a cancelled run ends; some time is for outages and clocks.
void Checker::check_stopped(store::Store& truth, Instant db_now) {
  constexpr Duration kLook = std::chrono::seconds(80);
  for (const auto& [grant, stop_by] : stop_by_) {
    if (stop_by + kLook > db_now) continue;
    const auto still = truth.facts_of({&grant, 1});
    if (still && !still->empty()) violate("L10", "a cancelled run is still its worker's");
  }
}

std::vector<JobId> Checker::jobs() const {
  std::vector<JobId> jobs;
  for (const auto& [job, revisions] : revisions_) jobs.push_back(job);
  return jobs;
}

std::size_t Checker::check_ledger(store::Store& store, Instant horizon) {
  std::size_t ticks = 0;
  for (const auto& [job, revisions] : revisions_) {
    ticks += check_job(store, revisions, horizon);
    check_status(store, revisions.back(), horizon);
  }
  return ticks;
}

std::size_t Checker::check_job(store::Store& store, const std::vector<JobRow>& revisions,
                               Instant horizon) {
  const JobId id = revisions.front().id;
  const std::string name = revisions.front().definition.name;
  const auto runs = store.runs_of(id);
  const auto skips = store.skips_of(id);
  if (!runs || !skips) {
    violate("store", "the ledger cannot be read");
    return 0;
  }
  check_runs(store, *runs, revisions.back());

  std::vector<Expected> expected;
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    const JobRow& job = revisions[i];
    const bool last = i + 1 == revisions.size();
    const Instant end = last ? horizon : std::min(horizon, revisions[i + 1].effective_from);
    // Completed means that all its ticks are decided, not that it had none.
    const bool ticks = job.status == JobStatus::kActive || job.status == JobStatus::kPaused ||
                       job.status == JobStatus::kCompleted;
    if (!ticks) continue;
    const Instant after = is_new_instant(i == 0 ? nullptr : &revisions[i - 1], job)
                              ? Instant::min()
                              : job.effective_from;
    for (const std::int64_t tick : expected_ticks(job, after, end)) {
      const bool paused = job.status == JobStatus::kPaused &&
                          Instant::from_micros(tick) < job.paused_until.value_or(Instant::max());
      expected.push_back({tick, paused, frozen(job, Instant::from_micros(tick)).skipped});
    }
  }
  std::ranges::stable_sort(expected, {}, &Expected::tick);
  const auto again = std::ranges::unique(expected, {}, &Expected::tick);
  expected.erase(again.begin(), again.end());

  // Merge: each expected tick is a run, or in exactly one skip.
  std::map<std::int64_t, int> run_ticks;
  for (const store::RunRow& run : *runs) {
    if (run.origin != core::RunOrigin::kSchedule) continue;
    if (run.scheduled_for <= horizon) ++run_ticks[run.scheduled_for.micros()];
    const bool must_be_on_time = on_time_from_ && run.scheduled_for >= *on_time_from_;
    if (must_be_on_time && run.decided_at - run.scheduled_for > kMostLate) {
      violate("L11", name + " of " + text_of(run.scheduled_for) + " was decided " +
                         format_duration(run.decided_at - run.scheduled_for) + " late");
    }
  }
  std::vector<std::int64_t> skip_counts(skips->size(), 0);
  std::size_t at_skip = 0;
  for (const Expected& tick : expected) {
    int fates = 0;
    const auto run = run_ticks.find(tick.tick);
    if (run != run_ticks.end()) {
      fates += run->second;
      if (tick.must_skip)
        violate("S8", name + " ran while paused at " + text_of(Instant::from_micros(tick.tick)));
      if (tick.frozen)
        violate("S16", name + " ran in a freeze at " + text_of(Instant::from_micros(tick.tick)));
      run_ticks.erase(run);
    }
    while (at_skip < skips->size() && (*skips)[at_skip].last.instant().micros() < tick.tick)
      ++at_skip;
    for (std::size_t k = at_skip; k < skips->size(); ++k) {
      if ((*skips)[k].first.instant().micros() > tick.tick) break;
      if ((*skips)[k].last.instant().micros() < tick.tick) continue;
      ++fates;
      ++skip_counts[k];
      const core::SkipReason reason = (*skips)[k].reason;
      if (tick.frozen ? reason != *tick.frozen : is_of_calendar(reason)) {
        violate("S16", name + " skipped " + text_of(Instant::from_micros(tick.tick)) + " as " +
                           std::string(core::name_of(reason)));
      }
    }
    if (fates == 0)
      violate("S1", name + " lost its tick " + text_of(Instant::from_micros(tick.tick)));
    if (fates > 1)
      violate("S1", name + " has two fates for " + text_of(Instant::from_micros(tick.tick)));
  }
  for (const auto& [tick, count] : run_ticks) {
    violate("S1",
            name + " ran at " + text_of(Instant::from_micros(tick)) + ", which is no tick of it");
  }
  for (std::size_t k = 0; k < skips->size(); ++k) {
    const store::SkipRow& skip = (*skips)[k];
    if (skip.last.instant() > horizon) continue;
    if (skip_counts[k] != skip.count) {
      violate("S10", name + " skipped " + std::to_string(skip.count) + " ticks from " +
                         text_of(skip.first.instant()) + " where there are " +
                         std::to_string(skip_counts[k]));
    }
  }
  return expected.size();
}

void Checker::check_waiting(store::Store& store, Instant now) {
  for (const auto& [job, revisions] : revisions_) {
    const auto runs = store.runs_of(job);
    if (!runs) return violate("store", "the ledger cannot be read");
    const auto is_running = [](const store::RunRow& run) {
      return run.state == core::RunState::kRunning;
    };
    if (std::ranges::any_of(*runs, is_running)) continue;
    for (const store::RunRow& run : *runs) {
      if (run.state != core::RunState::kReady && run.state != core::RunState::kRetrying) continue;
      const auto waiting = store.find_run(run.run);
      if (!waiting || !waiting->due_at || *waiting->due_at > now) continue;
      if (waiting->job_type == kNobodys) {
        check_start(*waiting, now);
        continue;
      }
      violate("L4", revisions.back().definition.name + " has a run that is due and not handed out");
    }
  }
}

// L9: a run that nobody starts is given up, at the latest with the next look at all live runs.
void Checker::check_start(const store::RunRow& run, Instant now) {
  constexpr Duration kLook = std::chrono::seconds(80);
  if (run.attempts == 0 && *run.due_at + kStartWithin + kLook < now) {
    violate("L9", "a run waits for a worker beyond its time");
  }
}

// L4: a job that has had its only tick is completed, without a hand.
void Checker::check_status(store::Store& store, const JobRow& job, Instant horizon) {
  const core::ScheduleSpec& spec = job.definition.schedule;
  if (spec.type != core::ScheduleSpec::Type::kOnce || spec.run_at > horizon) return;
  const auto now = store.find_job(job.id);
  if (now && now->status == JobStatus::kActive) {
    violate("L4", job.definition.name + " has no tick left and is still active");
  }
}

void Checker::check_runs(store::Store& store, const std::vector<store::RunRow>& runs,
                         const JobRow& job) {
  std::set<core::RunRef> seen;
  for (const store::RunRow& run : runs) {
    if (!seen.insert(run.run).second) violate("S5", "a run has two rows");
    if (run.origin == core::RunOrigin::kSchedule) {
      if (run.decided_at < run.scheduled_for) violate("S4", "decided before its tick");
      // No node: somebody changed a job while nobody owned its partition.
      const auto key = std::pair(partition_of(run.run.job), run.epoch);
      const bool by_node = run.node != Incarnation();
      if (by_node && writers_.emplace(key, run.node).first->second != run.node) {
        violate("S3", "two nodes wrote under one epoch");
      }
    }
    const auto attempts = store.attempts_of(run.run);
    if (!attempts) continue;
    Fence last;
    int ends = 0;
    for (const store::AttemptRow& attempt : *attempts) {
      if (attempt.fence <= last) violate("S6", "fences of a run's attempts do not grow");
      last = attempt.fence;
      // A run that was cancelled meanwhile, or replaced, would not have been tried again anyway.
      const bool counts = attempt.outcome != core::AttemptOutcome::kCancelled;
      if (knows_all_grants_ && counts && !fences_.contains(attempt.fence)) {
        violate("S13", "an attempt was used up that no worker was told of");
      }
      if (attempt.outcome == core::AttemptOutcome::kSucceeded) ++ends;
    }
    if (ends > 1) violate("S5", "a run succeeded twice");
    const auto retried = retries_.find(run.run);
    const std::size_t rounds = retried == retries_.end() ? 1 : 1 + retried->second;
    const std::size_t allowed =
        rounds * static_cast<std::size_t>(job.definition.policies.max_attempts);
    if (attempts->size() > allowed) violate("S11", "more attempts than allowed");
    // A run cancelled while it waits may have a fence that was given back: there was no attempt.
    const bool waited = run.state == core::RunState::kCancelled && run.fence > last;
    const bool over = !core::is_live(run.state) && !attempts->empty();
    if (over && !waited && run.fence != last) {
      violate("S5", "a run did not end under its highest fence");
    }
  }
}

}  // namespace belfry::sim
