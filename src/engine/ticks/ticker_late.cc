// What a ticker does with ticks that are not simply due: several of a job at once, ticks that are
// late for a job that is strict about it, and all that was missed while nobody decided.
#include "core/catch_up_line.h"
#include "core/misfire.h"
#include "engine/ticks/ticker.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace belfry::engine {
namespace {

using store::Decisions;
using store::RunDecision;

// Slower than this nobody has to be protected from catching up, and everybody would rather have it
// over with.
constexpr double kLeastPerSecond = 10;

constexpr std::size_t kJobsPerLook = 5'000;

bool is_on_time(const RunDecision& run) {
  return (!run.due || run.delayed) && !run.stands_in;
}

bool was_missed(core::SkipReason reason) {
  return reason == core::SkipReason::kMisfireSkipped ||
         reason == core::SkipReason::kMisfireExpired || reason == core::SkipReason::kMisfireLimit;
}

// Jobs with more than one run that takes its turn now. No rhythm is faster than a second, so
// usually there is no need to look.
void add_repeated(const std::vector<RunDecision>& runs, std::unordered_set<JobId>& found) {
  const auto earlier = [](const RunDecision& a, const RunDecision& b) { return a.tick < b.tick; };
  const auto [first, last] = std::ranges::minmax_element(runs, earlier);
  if (first == runs.end() || last->tick.instant() - first->tick.instant() < core::kPrompt) return;
  std::unordered_set<JobId> seen;
  for (const RunDecision& run : runs) {
    if (is_on_time(run) && !seen.insert(run.job).second) found.insert(run.job);
  }
}

}  // namespace

void Ticker::note_policies(std::span<const JobId> jobs, const core::JobPolicies& policies) {
  const bool strict = core::tolerance_of(policies) < core::kTickTolerance;
  if (strict) strict_.insert(jobs.begin(), jobs.end());
}

void Ticker::note_missed(Slice& slice, Instant since, Instant now) {
  const bool was_gap = now - since > core::kTickTolerance;
  std::int64_t ticks = 0;
  for (RunDecision& run : slice.waiting.runs) {
    // Of a gap's last seconds, which are tolerated: as many at once are a herd all the same. Only
    // who is strict about lateness does not wait.
    const bool late = now - run.tick.instant() > core::kPrompt && !strict_.contains(run.job);
    if (was_gap && late && !run.due) run.stands_in = true;
    if (is_on_time(run)) continue;
    slice.lines_up = true;
    ticks += run.stands_for;
  }
  for (const store::SkipDecision& skip : slice.waiting.skips) {
    if (was_missed(skip.reason)) ticks += skip.count;
  }
  const double seconds = std::max(std::chrono::duration<double>(now - since).count(), 1.0);
  slice.missed_per_second = static_cast<double>(ticks) / seconds;
}

// The timetable knows nothing of policies; where they matter, they are read.
Status Ticker::review(Instant now) {
  std::vector<JobId> doubtful;
  for (auto& slice : slices_) {
    if (!slice || !slice->loaded || !slice->decide_to) continue;
    std::unordered_set<JobId> found;
    add_repeated(slice->waiting.runs, found);
    std::unordered_set<JobId> late;
    for (const RunDecision& run : slice->waiting.runs) {
      if (is_on_time(run) && now - run.tick.instant() > core::kPrompt) late.insert(run.job);
    }
    for (const JobId job : late) {
      if (strict_.contains(job)) found.insert(job);
    }
    if (!late.empty()) {  // what a job of one instant thinks of lateness is not known before
      for (const JobId job : slice->ended) {
        if (late.contains(job)) found.insert(job);
      }
    }
    doubtful.insert(doubtful.end(), found.begin(), found.end());
  }
  std::ranges::sort(doubtful);
  for (std::span<const JobId> rest = doubtful; !rest.empty();) {
    const auto some = rest.first(std::min(kJobsPerLook, rest.size()));
    rest = rest.subspan(some.size());
    BELFRY_CHECK(decide_again({some.begin(), some.end()}, now));
  }
  return {};
}

// If a job was changed meanwhile, the store refuses the decision, and it is made anew.
Status Ticker::decide_again(const std::vector<JobId>& jobs, Instant now) {
  BELFRY_TRY(rows, store_.load_jobs(jobs));
  std::unordered_set<JobId> known;
  for (const store::JobRow& row : rows) known.insert(row.id);
  const auto is_known = [&](const auto& decision) { return known.contains(decision.job); };
  for (auto& slice : slices_) {
    if (!slice) continue;
    std::erase_if(slice->waiting.runs, is_known);
    std::erase_if(slice->waiting.skips, is_known);
  }
  for (const store::JobRow& row : rows) {
    Slice& slice = *slice_at(partition_of(row.id));
    const auto& definition = row.definition;
    const auto schedule = schedules_.of(row.tenant, definition.name, definition.schedule);
    if (!schedule || !core::can_tick(row.status)) continue;
    const Instant after = std::max(row.effective_from, slice.owned.decided_through);
    append(slice.waiting, row.id,
           core::decide_job(store::facts_of(row), *schedule,
                            {.after = after, .through = *slice.decide_to, .now = now}));
  }
  return {};
}

// A line is made when all have been loaded who may stand in it, or when that takes too long.
bool Ticker::is_line_complete(Instant now) {
  const auto lines_up = [](const auto& slice) { return slice && slice->lines_up; };
  if (std::ranges::none_of(slices_, lines_up)) {
    lines_up_since_.reset();
    return false;
  }
  if (unloaded().empty()) return true;
  if (!lines_up_since_) lines_up_since_ = now;
  return now - *lines_up_since_ >= kLongestLiningUp;
}

// Lets missed ticks wait for their turns, so that catching up is at most as fast as the ticks came.
Status Ticker::line_up(Instant now) {
  std::vector<RunDecision*> missed;
  double per_second = 0;
  for (auto& slice : slices_) {
    if (!slice || !slice->lines_up) continue;
    per_second += slice->missed_per_second;
    for (RunDecision& run : slice->waiting.runs) {
      if (!is_on_time(run)) missed.push_back(&run);
    }
  }
  const double pace = std::max(per_second, kLeastPerSecond);
  if (static_cast<double>(missed.size()) > pace) {
    std::vector<core::LateRun> late;
    std::unordered_map<JobId, core::LateRun> facts;
    for (std::size_t i = 0; i < missed.size(); i += kJobsPerLook) {
      std::vector<JobId> jobs;
      const std::size_t end = std::min(i + kJobsPerLook, missed.size());
      for (std::size_t k = i; k < end; ++k) jobs.push_back(missed[k]->job);
      BELFRY_TRY(rows, store_.load_jobs(jobs));
      for (const store::JobRow& row : rows) {
        facts[row.id] = {row.id, row.tenant, row.definition.policies.priority, {}};
      }
    }
    for (const RunDecision* run : missed) {
      core::LateRun& added = late.emplace_back(facts[run->job]);
      added.job = run->job;
      added.tick = run->tick;
    }
    const auto apart =
        std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / pace));
    const std::vector<Instant> starts = core::line_up(late, now, apart);
    for (std::size_t i = 0; i < missed.size(); ++i) {
      if (starts[i] > now || missed[i]->due) missed[i]->due = starts[i];
    }
    log_.info("catching_up", {{"runs", missed.size()}, {"per_second", pace}});
  }
  for (auto& slice : slices_) {
    if (slice) slice->lines_up = false;
  }
  lines_up_since_.reset();
  return {};
}

}  // namespace belfry::engine
