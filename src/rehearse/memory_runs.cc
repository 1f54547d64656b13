// Live runs: who may have them, and how they end.
#include "rehearse/memory_store.h"

#include <algorithm>

namespace belfry::rehearse {

using core::RunState;
using store::RunGrant;

std::optional<Instant> MemoryStore::first_start_by() const {
  return waiting_.empty() ? std::nullopt : std::optional(waiting_.begin()->first);
}

void MemoryStore::await_start(const Job& job, const Run& run) {
  waiting_.insert({run.start_by, {job.row.id, core::run_key_of(run.tick)}});
}

void MemoryStore::forget_wait(const Job& job, const Run& run) {
  if (run.attempt == 0) waiting_.erase({run.start_by, {job.row.id, core::run_key_of(run.tick)}});
}

Event MemoryStore::event(Event::Kind kind, const Job& job, const Run& run) const {
  return {.kind = kind,
          .job = place_of(job.row.id),
          .at = now(),
          .tick = run.tick,
          .last = run.tick,
          .ticks = run.stands_for,
          .other = run.other,
          .waited_in_line = run.due > run.tick.instant()};
}

core::LiveRun MemoryStore::shown(const Job& job, const Run& run) const {
  core::LiveRun live{.run = {job.row.id, core::run_key_of(run.tick)},
                     .tenant = kTenant,
                     .queue = queue(),
                     .priority = job.row.definition.policies.priority,
                     .due = run.due,
                     .exclusive = run.exclusive};
  live.region = RegionNo(0);
  if (run.attempt == 0) live.start_by = run.start_by;
  if (run.is_running()) {
    live.held = {
        .fence = run.fence, .until = std::min(run.lease_until, run.deadline), .claim = run.claim};
  }
  return live;
}

bool MemoryStore::may_begin(const Job& job, const Run& run) const {
  if (run.is_running() || run.due > now()) return false;
  return !run.exclusive || running_beside(job, run.tick) == nullptr;
}

store::ClaimedRun MemoryStore::begin(const Job& job, Run& run, const store::Taker& taker,
                                     std::uint64_t claim) {
  if (run.attempt == 0) diary_(event(Event::Kind::kFired, job, run));
  forget_wait(job, run);
  fence_ = Fence(fence_.value() + 1);
  run.state = RunState::kRunning;
  run.fence = fence_;
  run.claim = claim;
  ++run.attempt;
  run.lease_until = now() + taker.lease;
  run.deadline = now() + job.row.definition.policies.timeout;
  store::ClaimedRun claimed{.run = {job.row.id, core::run_key_of(run.tick)}, .tenant = kTenant};
  claimed.fence = run.fence;
  claimed.attempt = AttemptNo(run.attempt);
  claimed.scheduled_for = run.tick.instant();
  claimed.lease_until = run.lease_until;
  claimed.deadline = run.deadline;
  claimed.stands_for = run.stands_for;
  return claimed;
}

Result<std::vector<store::ClaimedRun>> MemoryStore::grant(const store::GrantRequest& request) {
  std::vector<store::ClaimedRun> granted;
  for (const store::GrantRequest::Wanted& wanted : request.runs) {
    Job& job = job_of(wanted.run.job);
    const auto found = job.live.find(wanted.run.key);
    if (found == job.live.end() || !may_begin(job, found->second)) continue;
    granted.push_back(begin(job, found->second, request.takers[wanted.taker], request.claim));
    granted.back().taker = wanted.taker;
  }
  return granted;
}

Result<std::vector<core::LiveRun>> MemoryStore::read_live(std::span<const PartitionNo> partitions) {
  std::vector<core::LiveRun> runs;
  if (std::ranges::find(partitions, kPartition) == partitions.end()) return runs;
  for (const Job& job : jobs_) {
    for (const auto& [key, run] : job.live) runs.push_back(shown(job, run));
  }
  return runs;
}

Result<std::vector<core::LiveRun>> MemoryStore::find_live(std::span<const core::RunRef> asked) {
  std::vector<core::LiveRun> runs;
  for (const core::RunRef& ref : asked) {
    const Job& job = job_of(ref.job);
    const auto found = job.live.find(ref.key);
    if (found != job.live.end()) runs.push_back(shown(job, found->second));
  }
  return runs;
}

Result<std::vector<store::TenantShare>> MemoryStore::unusual_tenants() {
  return std::vector<store::TenantShare>{};
}

Result<std::vector<store::LimitedType>> MemoryStore::limited_types() {
  return std::vector<store::LimitedType>{};
}

MemoryStore::Run* MemoryStore::held(const RunGrant& grant) {
  Runs& live = job_of(grant.run.job).live;
  const auto found = live.find(grant.run.key);
  const bool holds =
      found != live.end() && found->second.is_running() && found->second.fence == grant.fence;
  return holds ? &found->second : nullptr;
}

Result<std::vector<HeartbeatAnswer>> MemoryStore::heartbeat(std::span<const RunGrant> grants,
                                                            Duration lease) {
  std::vector<HeartbeatAnswer> answers;
  for (const RunGrant& grant : grants) {
    Run* const run = held(grant);
    if (run != nullptr) {
      run->lease_until = std::min(run->deadline, std::max(run->lease_until, now() + lease));
    }
    answers.push_back(run == nullptr          ? HeartbeatAnswer::kFenced
                      : run->cancel_requested ? HeartbeatAnswer::kCancel
                                              : HeartbeatAnswer::kExtended);
  }
  return answers;
}

Result<std::vector<store::AttemptFacts>> MemoryStore::facts_of(std::span<const RunGrant> grants) {
  std::vector<store::AttemptFacts> all;
  for (const RunGrant& grant : grants) {
    const Run* const run = held(grant);
    if (run == nullptr) continue;
    const core::JobPolicies& policies = job_of(grant.run.job).row.definition.policies;
    all.push_back({.grant = grant,
                   .attempt = AttemptNo(run->attempt),
                   .max_attempts = policies.max_attempts,
                   .retry_base = policies.retry_base,
                   .retry_cap = policies.retry_cap,
                   .cancel_requested = run->cancel_requested,
                   .timed_out = run->deadline <= now()});
  }
  return all;
}

Result<std::vector<bool>> MemoryStore::end_attempts(std::span<const store::AttemptEnd> ends) {
  std::vector<bool> applied;
  for (const store::AttemptEnd& end : ends) {
    Run* const run = held(end.grant);
    const bool is_over = run != nullptr && std::min(run->lease_until, run->deadline) <= now();
    applied.push_back(run != nullptr && (!end.only_if_expired || is_over));
    if (!applied.back()) continue;
    Job& job = job_of(end.grant.run.job);
    if (end.outcome == core::AttemptOutcome::kTimedOut) {
      diary_(event(Event::Kind::kTimedOut, job, *run));
    }
    if (end.next == RunState::kRetrying) {
      run->state = RunState::kRetrying;
      run->due = now() + end.wait.value_or(Duration::zero());
      continue;
    }
    if (end.next == RunState::kCancelled) diary_(event(Event::Kind::kReplaced, job, *run));
    if (end.next == RunState::kDead) {
      Event died = event(Event::Kind::kDied, job, *run);
      died.why = end.reason;
      diary_(died);
    }
    job.live.erase(end.grant.run.key);
  }
  return applied;
}

Result<std::vector<core::RunRef>> MemoryStore::give_up(std::span<const core::RunRef> runs) {
  std::vector<core::RunRef> gone;
  for (const core::RunRef& ref : runs) {
    Job& job = job_of(ref.job);
    const auto found = job.live.find(ref.key);
    if (found == job.live.end()) continue;
    const Run& run = found->second;
    if (run.is_running() || run.attempt > 0 || run.start_by > now()) continue;
    forget_wait(job, run);
    Event died = event(Event::Kind::kDied, job, run);
    died.why = core::DeadReason::kNotStarted;
    diary_(died);
    job.live.erase(found);
    gone.push_back(ref);
  }
  return gone;
}

}  // namespace belfry::rehearse
