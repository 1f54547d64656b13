#include "rehearse/memory_store.h"

#include "core/terms.h"

#include <algorithm>

namespace belfry::rehearse {

using store::DecideOutcome;
using store::Fate;

namespace {

constexpr store::JobsVersion kVersion(1);  // nobody changes a job here

}  // namespace

const std::string& MemoryStore::queue() {
  static const std::string name = "rehearsal";
  return name;
}

MemoryStore::MemoryStore(const Plan& plan, const Clock& clock, const Diary& diary)
    : clock_(clock), diary_(diary), decided_through_(plan.from - Duration(1)) {
  for (const PlannedJob& planned : plan.jobs) {
    store::JobRow row{.id = id_of(jobs_.size()),
                      .tenant = kTenant,
                      .effective_from = decided_through_,
                      .definition = planned.definition};
    jobs_.push_back(
        {.row = std::move(row), .terms = core::overlap_terms(planned.definition.policies)});
  }
}

store::OwnedPartition MemoryStore::own() {
  epoch_ = Epoch(epoch_.value() + 1);
  return {.partition = kPartition,
          .epoch = epoch_,
          .decided_through = decided_through_,
          .version = kVersion};
}

// ---- Jobs ----

Result<store::PartitionJobs> MemoryStore::load_partition(PartitionNo) {
  store::PartitionJobs jobs{.decided_through = decided_through_, .version = kVersion};
  for (const Job& job : jobs_) jobs.jobs.push_back(job.row);
  return jobs;
}

Result<store::BriefPartition> MemoryStore::load_brief(PartitionNo) {
  store::BriefPartition brief{.decided_through = decided_through_, .version = kVersion};
  for (const Job& job : jobs_) {
    if (const auto terms = core::terms_of(job.row.definition)) {
      brief.brief.push_back({job.row.id, job.row.effective_from, *terms});
    } else {
      brief.whole.push_back(job.row);
    }
  }
  return brief;
}

Result<std::vector<store::JobRow>> MemoryStore::load_jobs(std::span<const JobId> jobs) {
  std::vector<store::JobRow> rows;
  for (const JobId job : jobs) rows.push_back(job_of(job).row);
  return rows;
}

Result<std::vector<std::optional<store::BriefPartition>>> MemoryStore::load_changes(
    std::span<const store::KnownJobs> known) {
  return std::vector<std::optional<store::BriefPartition>>(
      known.size(),
      store::BriefPartition{.decided_through = decided_through_, .version = kVersion});
}

Result<std::vector<DecideOutcome>> MemoryStore::complete_jobs(
    const Incarnation&, std::span<const store::EndedJobs> ended) {
  return std::vector<DecideOutcome>(ended.size(), DecideOutcome::kDecided);
}

// ---- Decisions ----

Result<store::DecideResult> MemoryStore::decide(
    const Incarnation&, std::span<const store::PartitionDecision> partitions) {
  store::DecideResult result{.decided_at = now()};
  for (const store::PartitionDecision& decision : partitions) {
    const DecideOutcome outcome = outcome_of(decision);
    if (outcome == DecideOutcome::kDecided) {
      decided_through_ = decision.to;
      write(decision.decisions, result);
    }
    result.partitions.push_back({.partition = decision.partition,
                                 .outcome = outcome,
                                 .decided_through = decided_through_,
                                 .version = kVersion});
  }
  return result;
}

DecideOutcome MemoryStore::outcome_of(const store::PartitionDecision& decision) const {
  if (decision.epoch != epoch_) return DecideOutcome::kDeposed;
  if (decision.from != decided_through_) return DecideOutcome::kOutdated;
  return decision.to > now() ? DecideOutcome::kEarly : DecideOutcome::kDecided;
}

void MemoryStore::write(const store::Decisions& decisions, store::DecideResult& result) {
  fates_.clear();
  store::add_fates(fates_, decisions, epoch_);
  store::sort_fates(fates_);
  for (std::span<const Fate> rest = fates_; !rest.empty();) {
    const std::span<const Fate> of_job = store::take_job(rest);
    write_job(job_of(of_job.front().job), of_job, result);
  }
}

void MemoryStore::write_job(Job& job, std::span<const Fate> fates, store::DecideResult& result) {
  const auto newest = std::ranges::find_if(fates.rbegin(), fates.rend(), &Fate::is_live_run);
  for (const Fate& fate : fates) {
    if (fate.reason) {
      skip(job, fate, *fate.reason);
    } else {
      write_run(job, fate, newest != fates.rend() && &fate == &*newest, result);
    }
  }
}

// As the overlap policy says; a run in line has room of its own.
void MemoryStore::write_run(Job& job, const Fate& fate, bool is_newest,
                            store::DecideResult& result) {
  if (!fate.is_live_run()) return insert(job, fate, result);
  if (job.terms.replaces && !is_newest) {
    ++result.overlaps;
    return skip(job, fate, core::SkipReason::kOverlapReplaced);
  }
  if (is_full(job)) {
    ++result.overlaps;
    const auto blocks = [](const auto& run) { return !run.second.is_in_line(); };
    return skip(job, fate, core::SkipReason::kOverlap,
                std::ranges::find_if(job.live, blocks)->second.tick);
  }
  insert(job, fate, result);
}

bool MemoryStore::is_full(const Job& job) {
  if (job.terms.live_limit == core::kNoLimit) return false;
  const auto live =
      std::ranges::count_if(job.live, [](const auto& run) { return !run.second.is_in_line(); });
  return live >= job.terms.live_limit;
}

const MemoryStore::Run* MemoryStore::running_beside(const Job& job, Tick tick) {
  for (const auto& [key, run] : job.live) {
    if (run.is_running() && run.tick != tick) return &run;
  }
  return nullptr;
}

void MemoryStore::insert(Job& job, const Fate& fate, store::DecideResult& result) {
  const Instant due = fate.due.value_or(fate.first.instant());
  const bool in_line = due > fate.first.instant();
  Run run{.tick = fate.first,
          .due = due,
          .start_by = std::max(due, now()) + job.row.definition.policies.start_within,
          .stands_for = fate.count};
  // One in line was not counted, so it is handed out alone.
  run.exclusive = job.terms.exclusive || (in_line && job.terms.live_limit < core::kNoLimit);
  const Run* const beside = run.exclusive ? running_beside(job, run.tick) : nullptr;
  if (beside != nullptr) run.other = beside->tick;
  const auto [entry, is_new] = job.live.emplace(core::run_key_of(fate.first), run);
  if (!is_new) return;
  Run& added = entry->second;
  if (job.terms.replaces && fate.is_live_run()) replace_others(job, added.tick, result);
  if (fate.taker != nullptr && *fate.queue == queue() && may_begin(job, added)) {
    result.granted.push_back(begin(job, added, *fate.taker, fate.claim));
  } else {
    await_start(job, added);
  }
  result.runs.push_back(shown(job, added));
}

// Those that wait end at once; those that run are told, and end when their worker heeds it.
void MemoryStore::replace_others(Job& job, Tick newest, store::DecideResult& result) {
  const Instant stop_by = now() + job.row.definition.policies.stop_within;
  for (auto entry = job.live.begin(); entry != job.live.end();) {
    Run& run = entry->second;
    const auto at = entry++;
    if (run.tick == newest || run.is_in_line()) continue;
    if (!run.is_running()) {
      run.other = newest;
      forget_wait(job, run);
      diary_(event(Event::Kind::kReplaced, job, run));
      job.live.erase(at);
      continue;
    }
    if (!run.cancel_requested) run.other = newest;
    run.cancel_requested = true;
    run.deadline = std::min(run.deadline, stop_by);
    run.lease_until = std::min(run.lease_until, stop_by);
    result.told.push_back({job.row.id, core::run_key_of(run.tick)});
  }
}

void MemoryStore::skip(const Job& job, const Fate& fate, core::SkipReason reason,
                       std::optional<Tick> other) {
  diary_({.kind = Event::Kind::kSkipped,
          .job = place_of(job.row.id),
          .at = now(),
          .tick = fate.first,
          .last = fate.last,
          .ticks = fate.count,
          .reason = reason,
          .other = other});
}

// ---- Hints ----

Result<store::Hints> MemoryStore::await_hints(Duration) {
  return store::Hints{};
}
void MemoryStore::touch(std::span<const core::RunRef>) {}
void MemoryStore::interrupt_hints() {}

}  // namespace belfry::rehearse
