#include "tests/sim/saboteur.h"

namespace belfry::sim {

using store::AttemptEnd;
using store::AttemptFacts;
using store::ClaimedRun;
using store::PartitionDecision;
using store::PartitionJobs;
using store::RunGrant;

const std::vector<Saboteur::Trick>& Saboteur::tricks() {
  static const std::vector<Trick> kAll{
      {"no_epoch", "decide without the epoch in its condition: a deposed owner writes"},
      {"no_version", "decide without the version in its condition: edits race with ticks"},
      {"no_cursor", "decide without the cursor in its condition: a repeat writes twice"},
      {"no_fence", "heartbeat and completion without the fence: stale workers are believed"},
      {"no_settle", "an edit that forgets due ticks of the old definition"},
      {"deaf_owner", "an owner that never learns of changed jobs"},
      {"from_now", "a new owner that starts from now instead of from the cursor"},
      {"lost_skips", "skips that are decided but not recorded"},
      {"lost_late_run", "one run of a batch that is not written"},
      {"wrong_count", "a skip range that counts one tick too many"},
      {"blind_to_pause", "an owner that takes paused jobs for active ones"},
      {"no_delay", "an owner that skips what a calendar is to delay"},
      {"early_delay", "a delayed run that is handed out before its calendar opens"},
      {"endless_retries", "attempts without a limit"},
      {"double_success", "a success that leaves the run to be tried again"},
      {"replayed_claim", "the same grant handed to two workers"},
      {"reused_fence", "a grant with the fence of the one before"},
      {"forgetful", "a repeated report that is not recognised: its worker is told FENCED"},
      {"credulous", "every report is answered with OK, also a stale one"},
      {"grant_without_state",
       "a book that repeats, and a grant without the state in its condition"},
      {"book_forgets", "a book that forgets: runs that wait, and nobody hands them out"},
      {"gone_taker",
       "a run inserted as granted whose taker has gone, and nobody looks at its lease"},
      {"lost_claim", "a node that does not know its own grants again after a lost reply", true},
      {"never_gives_up", "runs that nobody starts wait for ever"},
      {"no_type_limit", "a grant that does not count the runs of a type with a limit"},
      {"deaf_unstick", "a run that was taken from its worker, and is its worker's all the same"},
      {"endless_stop", "a cancelled run whose worker may go on for as long as it beats"},
      {"drop_first", "a hand-over in which nobody decides for a while", false, true},
      {"old_epochs", "a promoted standby where the owners of before go on"},
      {"old_loads", "jobs that were loaded before a promotion and are used after it"},
      {"old_fences", "a promoted standby that gives out the fences of before again"},
  };
  return kAll;
}

void Saboteur::remember(const Incarnation& node,
                        const std::vector<store::OwnedPartition>& partitions) {
  for (const auto& partition : partitions) {
    owners_[partition.partition] = {node, partition.epoch};
  }
}

Result<store::OwnershipStore::Membership> Saboteur::renew(const Node& node, Duration ttl) {
  auto membership = inner_.renew(node, ttl);
  if (membership && !is("none")) remember(node.incarnation, membership->mine);
  return membership;
}

Result<std::vector<store::OwnedPartition>> Saboteur::acquire(const Node& node, std::size_t most) {
  auto taken = inner_.acquire(node, most);
  if (taken) remember(node.incarnation, *taken);
  return taken;
}

Result<PartitionJobs> Saboteur::load_partition(PartitionNo partition) {
  auto jobs = inner_.load_partition(partition);
  if (!jobs) return jobs;
  if (is("from_now")) {
    if (const auto now = inner_.clock()) jobs->decided_through = *now;
  }
  if (is("blind_to_pause")) {
    for (store::JobRow& job : jobs->jobs) job.status = core::JobStatus::kActive;
  }
  if (is("no_delay")) forget_delays(jobs->jobs);
  return jobs;
}

Result<store::BriefPartition> Saboteur::load_brief(PartitionNo partition) {
  auto jobs = inner_.load_brief(partition);
  if (!jobs) return jobs;
  if (is("from_now")) {
    if (const auto now = inner_.clock()) jobs->decided_through = *now;
  }
  if (is("old_loads")) {  // alone in its era, an old answer is as good as a new one
    const store::Era era = jobs->era;
    jobs = loads_.try_emplace(partition, *jobs).first->second;
    jobs->era = era;
  }
  if (is("blind_to_pause")) {
    for (store::JobRow& job : jobs->whole) job.status = core::JobStatus::kActive;
  }
  if (is("no_delay")) forget_delays(jobs->whole);
  return jobs;
}

void Saboteur::forget_delays(std::vector<store::JobRow>& jobs) {
  for (store::JobRow& job : jobs) {
    job.definition.schedule.calendar_policy = core::CalendarPolicy::kSkip;
  }
}

Result<std::vector<store::OwnedPartition>> Saboteur::take(const Node& node,
                                                          std::span<const Holding> holdings) {
  std::vector<Holding> wanted(holdings.begin(), holdings.end());
  if (is("drop_first")) {
    std::erase_if(wanted, [&](const Holding& holding) { return drop(node, holding.partition); });
  }
  auto taken = inner_.take(node, wanted);
  if (taken) remember(node.incarnation, *taken);
  return taken;
}

// Whether the partition was somebody else's, who has lost it now; the newcomer asks again later.
bool Saboteur::drop(const Node& newcomer, PartitionNo partition) {
  const auto owner = owners_.find(partition);
  if (owner == owners_.end() || owner->second.node == newcomer.incarnation) return false;
  const Node before{owner->second.node, "before", newcomer.region};
  const Holding held{partition, owner->second.epoch};
  owners_.erase(owner);
  return inner_.release(before, {&held, 1}).has_value();
}

Result<bool> Saboteur::unstick_run(const core::RunRef& run, const std::string& note,
                                   const store::Author& author) {
  if (is("deaf_unstick")) return true;
  return inner_.unstick_run(run, note, author);
}

Result<bool> Saboteur::cancel_run(const core::RunRef& run, const store::Author& author) {
  if (is("endless_stop")) cancelled_.insert(run);
  return inner_.cancel_run(run, author);
}

Result<std::vector<std::optional<store::BriefPartition>>> Saboteur::load_changes(
    std::span<const store::KnownJobs> known) {
  auto changes = inner_.load_changes(known);
  if (!changes) return changes;
  for (auto& changed : *changes) {
    if (!changed) continue;
    if (is("deaf_owner")) {
      changed = store::BriefPartition{.decided_through = changed->decided_through,
                                      .version = changed->version};
    }
    if (is("no_delay")) forget_delays(changed->whole);
    if (!is("blind_to_pause")) continue;
    for (store::JobRow& job : changed->whole) {
      if (job.status == core::JobStatus::kPaused) job.status = core::JobStatus::kActive;
    }
  }
  return changes;
}

// A condition is dropped by asking with a value that fulfils it.
Result<store::DecideResult> Saboteur::decide(const Incarnation& node,
                                             std::span<const PartitionDecision> partitions) {
  if (is("none")) return inner_.decide(node, partitions);
  std::vector<PartitionDecision> asked(partitions.begin(), partitions.end());
  Incarnation as = node;
  for (PartitionDecision& decision : asked) {
    const auto row = inner_.load_partition(decision.partition);
    if (!row) return fail(row.error());
    if (is("no_epoch")) {
      as = owners_[decision.partition].node;
      decision.epoch = owners_[decision.partition].epoch;
      decision.from = row->decided_through;
    }
    if (is("no_version")) decision.version = row->version;
    if (is("no_cursor") || is("from_now")) decision.from = row->decided_through;
    if (is("lost_skips")) decision.decisions.skips.clear();
    if (is("lost_late_run") && decision.decisions.runs.size() > 1) {
      decision.decisions.runs.pop_back();
    }
    if (is("early_delay")) {
      for (auto& run : decision.decisions.runs) {
        if (run.delayed) run.due.reset();
      }
    }
    if (is("wrong_count")) {
      for (auto& skip : decision.decisions.skips) skip.count += skip.count > 1 ? 1 : 0;
    }
  }
  if (!is("no_epoch")) {
    auto decided = inner_.decide(as, asked);
    if (decided && is("book_forgets")) decided->runs.clear();
    if (decided && is("gone_taker")) {
      decided->granted.clear();
      for (const core::LiveRun& run : decided->runs) {
        if (run.held) born_held_.insert({run.run, run.held->fence});
      }
      forget_leases(decided->runs);
    }
    return decided;
  }
  // One at a time: each may have another owner.
  store::DecideResult all;
  for (const PartitionDecision& decision : asked) {
    auto one = inner_.decide(owners_[decision.partition].node, {&decision, 1});
    if (!one) return one;
    all.partitions.push_back(one->partitions.front());
    all.runs.insert(all.runs.end(), one->runs.begin(), one->runs.end());
    all.decided_at = one->decided_at;
  }
  return all;
}

// Takes runs from whoever holds them, as a grant would that does not look at the row's state.
Status Saboteur::steal(const store::GrantRequest& request) {
  std::vector<RunGrant> held;
  for (const auto& wanted : request.runs) {
    const auto known = fences_.find(wanted.run);
    if (known != fences_.end()) held.push_back({wanted.run, known->second});
  }
  return inner_.return_runs(held, {});
}

Result<std::vector<ClaimedRun>> Saboteur::grant(const store::GrantRequest& request) {
  if (is("grant_without_state")) BELFRY_CHECK(steal(request));
  if (is("replayed_claim") && !last_claim_.empty()) {
    for (ClaimedRun& run : last_claim_) run.taker = 0;
    return std::exchange(last_claim_, {});
  }
  if (is("no_type_limit")) return grant_without_limit(request);
  auto claimed = inner_.grant(request);
  if (!claimed || is("none")) return claimed;
  for (ClaimedRun& run : *claimed) {
    if (is("reused_fence") && run.fence.value() % 7 == 0) run.fence = Fence(run.fence.value() - 7);
    fences_[run.run] = run.fence;
  }
  last_claim_ = *claimed;
  return claimed;
}

Result<std::vector<ClaimedRun>> Saboteur::grant_without_limit(const store::GrantRequest& request) {
  BELFRY_TRY(types, inner_.limited_types());
  for (const auto& type : types) BELFRY_CHECK(inner_.delete_type(type.tenant, type.name, {}));
  auto claimed = inner_.grant(request);
  for (const auto& [tenant, name, limits] : types) {
    BELFRY_CHECK(inner_.put_type({.tenant = tenant, .name = name, .limits = limits}, {}));
  }
  return claimed;
}

RunGrant Saboteur::current(RunGrant grant) const {
  const auto known = fences_.find(grant.run);
  if (is("no_fence") && known != fences_.end()) grant.fence = known->second;
  return grant;
}

Result<std::vector<HeartbeatAnswer>> Saboteur::heartbeat(std::span<const RunGrant> grants,
                                                         Duration lease) {
  std::vector<RunGrant> asked;
  for (const RunGrant& grant : grants) asked.push_back(current(grant));
  return inner_.heartbeat(asked, lease);
}

Result<std::vector<AttemptFacts>> Saboteur::facts_of(std::span<const RunGrant> grants) {
  std::vector<RunGrant> asked;
  for (const RunGrant& grant : grants) asked.push_back(current(grant));
  auto facts = inner_.facts_of(asked);
  if (facts && is("endless_retries")) {
    for (AttemptFacts& fact : *facts) fact.max_attempts = 1'000;
  }
  return facts;
}

// The book of "grant_without_state" repeats: it takes held runs for waiting ones.
Result<std::vector<core::LiveRun>> Saboteur::read_live(std::span<const PartitionNo> partitions) {
  auto runs = inner_.read_live(partitions);
  if (runs && is("book_forgets")) runs->clear();
  if (runs && is("grant_without_state")) {
    for (core::LiveRun& run : *runs) run.held.reset();
  }
  if (runs && is("gone_taker")) forget_leases(*runs);
  if (runs && is("lost_claim")) forget_claims(*runs);
  if (runs && is("endless_stop")) forget_stops(*runs);
  return runs;
}

void Saboteur::forget_stops(std::vector<core::LiveRun>& runs) const {
  for (core::LiveRun& run : runs) {
    if (run.held && cancelled_.contains(run.run)) run.held->until = Instant::max();
  }
}

void Saboteur::forget_claims(std::vector<core::LiveRun>& runs) {
  for (core::LiveRun& run : runs) {
    if (run.held) run.held->claim = 0;
  }
}

Result<std::vector<core::RunRef>> Saboteur::give_up(std::span<const core::RunRef> runs) {
  if (is("never_gives_up")) return std::vector<core::RunRef>();
  return inner_.give_up(runs);
}

// Of runs that were granted by their decisions.
void Saboteur::forget_leases(std::vector<core::LiveRun>& runs) const {
  for (core::LiveRun& run : runs) {
    if (run.held && born_held_.contains({run.run, run.held->fence})) {
      run.held->until = Instant::max();
    }
  }
}

Result<std::vector<core::LiveRun>> Saboteur::find_live(std::span<const core::RunRef> asked) {
  auto runs = inner_.find_live(asked);
  if (runs && is("book_forgets")) runs->clear();
  if (runs && is("gone_taker")) forget_leases(*runs);
  if (runs && is("lost_claim")) forget_claims(*runs);
  if (runs && is("endless_stop")) forget_stops(*runs);
  return runs;
}

Result<std::vector<bool>> Saboteur::end_attempts(std::span<const AttemptEnd> ends) {
  std::vector<AttemptEnd> asked(ends.begin(), ends.end());
  for (AttemptEnd& end : asked) {
    end.grant = current(end.grant);
    if (is("double_success") && end.next == core::RunState::kSucceeded) {
      end.next = core::RunState::kRetrying;
      end.wait = Duration::zero();
    }
  }
  auto ended = inner_.end_attempts(asked);
  if (ended && is("credulous")) ended->assign(ends.size(), true);
  return ended;
}

Result<std::vector<std::optional<core::AttemptOutcome>>> Saboteur::outcomes_of(
    std::span<const RunGrant> grants) {
  auto outcomes = inner_.outcomes_of(grants);
  if (outcomes && is("forgetful")) outcomes->assign(grants.size(), std::nullopt);
  return outcomes;
}

}  // namespace belfry::sim
