#include "service/jobs/explain_facts.h"

#include "base/json.h"
#include "core/book/live_run.h"
#include "core/overlap.h"
#include "core/queue.h"

#include <algorithm>
#include <cstddef>

namespace belfry::service {
namespace {

// Of a job's newest runs: more are never live at once where one is in the way.
constexpr std::size_t kRecent = 20;
// Of its revisions: so many changes without a tick in between are not looked behind.
constexpr std::size_t kChanges = 50;

std::optional<core::Schedule> compiled(const ExplainSources& sources, TenantId tenant,
                                       const std::string& name, const core::ScheduleSpec& spec) {
  auto schedule = core::compile_schedule(tenant, name, spec, sources.zones);
  return schedule ? std::optional(*std::move(schedule)) : std::nullopt;
}

Status read_revision(const ExplainSources& sources, const store::JobRow& job, ExplainFacts& facts) {
  auto found = sources.store.revision_at(job.id, facts.at);
  if (!found && found.error().code == Errc::kNotFound) return {};
  if (!found) return fail(found.error());
  facts.revision = *std::move(found);
  facts.schedule = compiled(sources, job.tenant, facts.revision->name, facts.revision->schedule);
  return {};
}

// What the ledger has for the tick.
Status read_fate(const ExplainSources& sources, JobId job, ExplainFacts& facts) {
  BELFRY_TRY(page, sources.store.ledger(
                       {.job = job, .from = facts.at, .to = facts.at + Duration(1)}, "", 100));
  for (const store::LedgerEntry& entry : page.entries) {
    if (const auto* skip = std::get_if<store::SkipRow>(&entry)) facts.skip = *skip;
    const auto* run = std::get_if<store::RunRow>(&entry);
    if (run == nullptr) continue;
    const bool is_ticks = run->run.key == core::run_key_of(Tick(facts.at));
    if (is_ticks) facts.run = *run;
    // What somebody triggered has an instant as well.
    if (!is_ticks && !facts.run && run->origin == core::RunOrigin::kManual) facts.run = *run;
  }
  return {};
}

// Of a missed tick for which a newer one stood: what became of that one, if it did not run.
Status read_heir(const ExplainSources& sources, JobId job, ExplainFacts& facts) {
  if (!facts.skip || facts.skip->reason != core::SkipReason::kMisfireCoalesced) return {};
  BELFRY_TRY(page, sources.store.ledger({.job = job,
                                         .from = facts.skip->last.instant() + Duration(1),
                                         .order = store::Order::kOldestFirst},
                                        "", 1));
  if (page.entries.empty()) return {};
  if (const auto* next = std::get_if<store::SkipRow>(&page.entries[0])) facts.heir = *next;
  return {};
}

Status read_run(const ExplainSources& sources, ExplainFacts& facts) {
  if (!facts.run) return {};
  BELFRY_TRY(run, sources.store.find_run(facts.run->run));  // with all its fields
  BELFRY_TRY(attempts, sources.store.attempts_of(run.run));
  facts.run = std::move(run);
  facts.attempts = std::move(attempts);
  return {};
}

Status read_partition(const ExplainSources& sources, JobId job, ExplainFacts& facts) {
  BELFRY_TRY(overview, sources.store.overview());
  for (const auto& partition : overview.partitions) {
    if (partition.partition != partition_of(job)) continue;
    facts.decided_through = partition.decided_through;
    facts.owned = std::ranges::any_of(overview.nodes, [&](const auto& node) {
      return partition.owner == node.incarnation && node.lease_until > overview.now;
    });
  }
  return {};
}

bool was_live(const store::RunRow& run, Instant at) {
  return run.decided_at <= at && (!run.finished_at || *run.finished_at > at);
}

// Of a tick without a run: the oldest that was live then.
void find_overlapped(const std::vector<store::RunRow>& recent, ExplainFacts& facts) {
  for (const store::RunRow& run : recent) {
    if (run.scheduled_for <= facts.at && was_live(run, facts.at)) facts.blocker = run;
  }
}

// Of a run that was given up: the one of its job that was going then.
Status find_last_holder(const ExplainSources& sources, ExplainFacts& facts) {
  const Instant end = facts.run->finished_at.value_or(facts.now);
  BELFRY_TRY(page, sources.store.list_runs({.tenant = facts.run->tenant, .job = facts.run->run.job},
                                           "", kRecent));
  for (const store::RunRow& run : page.runs) {
    const bool was_over = run.finished_at && *run.finished_at < end;
    if (run.started_at && *run.started_at < end && !was_over) facts.blocker = run;
  }
  return {};
}

// Of a run that waits, where runs wait for each other: the one of its job that is going. It may be
// of any time; so are those of a backfill.
Status find_holder(const ExplainSources& sources, const core::JobPolicies& policies,
                   ExplainFacts& facts) {
  const bool waits = !facts.run->started_at && core::is_live(facts.run->state);
  const core::OverlapTerms terms = core::overlap_terms(policies);
  // Where a job has a limit, ticks start when they come, and what was asked for may have to wait.
  const bool is_asked_for = facts.run->origin != core::RunOrigin::kSchedule;
  const bool waits_alone = terms.live_limit < core::kNoLimit && is_asked_for;
  if (!terms.exclusive && !waits_alone) return {};
  if (facts.run->reason == core::DeadReason::kNotStarted) return find_last_holder(sources, facts);
  if (!waits) return {};
  BELFRY_TRY(going, sources.store.list_runs({.tenant = facts.run->tenant,
                                             .job = facts.run->run.job,
                                             .state = core::RunState::kRunning},
                                            "", 1));
  if (!going.runs.empty() && going.runs[0].run != facts.run->run) facts.blocker = going.runs[0];
  return {};
}

// Of a run that was cancelled, where a newer one takes its place: that one, if it came while this
// was live.
Status find_replacement(const ExplainSources& sources, const core::JobPolicies& policies,
                        ExplainFacts& facts) {
  const store::RunRow& run = *facts.run;
  const bool is_cancelled = run.state == core::RunState::kCancelled && run.finished_at;
  if (!is_cancelled || !core::overlap_terms(policies).replaces) return {};
  BELFRY_TRY(page, sources.store.ledger({.job = run.run.job,
                                         .from = run.scheduled_for + Duration(1),
                                         .order = store::Order::kOldestFirst},
                                        "", kRecent));
  for (const store::LedgerEntry& entry : page.entries) {
    const auto* next = std::get_if<store::RunRow>(&entry);
    if (next == nullptr) continue;
    if (next->decided_at <= *run.finished_at) facts.replaced_by = next->run;
    return {};
  }
  return {};
}

// The last tick by now, each by the definition that was in force then: the schedule of today may
// have ticks in the past that nobody ever had in mind.
Result<std::optional<Instant>> last_tick(const ExplainSources& sources, const store::JobRow& job) {
  BELFRY_TRY(revisions, sources.store.revisions_of(job.id, std::nullopt, kChanges));
  Instant through = sources.now;
  for (const store::RevisionRow& revision : revisions) {
    const auto schedule = compiled(sources, job.tenant, revision.name, revision.schedule);
    const auto tick = schedule ? schedule->previous(through + Duration(1)) : std::nullopt;
    if (tick && tick->tick.instant() > revision.effective_from) return tick->tick.instant();
    through = std::min(through, revision.effective_from);
  }
  return std::optional<Instant>();
}

// The instant and, if it is what happened last, the run that is meant by "why?".
void choose(const std::vector<store::RunRow>& recent, std::optional<Instant> tick,
            ExplainFacts& facts) {
  facts.never_ticked = !tick;
  facts.at = tick.value_or(facts.next.value_or(facts.now));
  if (recent.empty()) return;
  const store::RunRow& newest = recent.front();
  if (tick && newest.scheduled_for < *tick) return;
  facts.never_ticked = false;
  facts.run = newest;
  facts.at = newest.scheduled_for;
}

// The host of a webhook, as troubles name it.
std::string host_of(const std::string& target) {
  const auto read = parse_json(target);
  if (!read || !read->is_object()) return {};
  const auto url = read->find("url");
  if (url == read->end() || !url->is_string()) return {};
  const std::string text = url->get<std::string>();
  const auto begin = text.find("://");
  if (begin == std::string::npos) return {};
  const auto end = text.find_first_of("/?#", begin + 3);
  return text.substr(begin + 3, end == std::string::npos ? end : end - begin - 3);
}

// Whether a run that waits, or one in the way that waits, does so for the limits of its type.
Status read_limit(const ExplainSources& sources, ExplainFacts& facts) {
  const auto& run = facts.run ? facts.run : facts.blocker;
  const bool waits = run && core::is_live(run->state) && run->state != core::RunState::kRunning;
  if (!waits) return {};
  BELFRY_TRY(loads, sources.store.type_loads());
  for (store::TypeLoad& load : loads) {
    const bool is_its = load.type.tenant == run->tenant && load.type.name == run->job_type;
    if (is_its && load.room <= 0) facts.limit = std::move(load);
  }
  return {};
}

// A run is what the job was when it was made, whatever the job is told later.
Result<core::JobDefinition> definition_then(const ExplainSources& sources, const store::JobRow& job,
                                            const ExplainFacts& facts) {
  const std::uint32_t number = facts.run        ? facts.run->revision
                               : facts.revision ? facts.revision->revision
                                                : job.revision;
  core::JobDefinition then = job.definition;
  if (number == job.revision) return then;
  BELFRY_TRY(found, sources.store.revisions_of(job.id, number + 1, 1));
  if (found.empty() || found[0].revision != number) return then;
  then.job_type = found[0].job_type;
  then.target = found[0].target;
  then.policies = found[0].policies;
  return then;
}

// Who may have it, and where.
void place(const ExplainSources& sources, JobId job, const core::JobDefinition& then,
           ExplainFacts& facts) {
  facts.queue = core::queue_of(then);
  facts.region = core::region_for(job, then.policies.run_in);
  if (facts.region && sources.regions.are_several()) {
    facts.region_name = sources.regions.name_of(*facts.region);
  }
}

// What keeps ticks and runs of this job.
void take_troubles(const ExplainSources& sources, TenantId tenant, const std::string& target,
                   ExplainFacts& facts) {
  const std::string host = host_of(target);
  for (const Trouble& trouble : sources.troubles) {
    const bool is_mine = !trouble.tenant || *trouble.tenant == tenant;
    const bool is_general =
        trouble.severity == Severity::kCritical || trouble.code == TroubleCode::kPartitionsUnowned;
    const Subject subject = subject_of(trouble.code);
    const bool is_here = !trouble.region || trouble.region == facts.region;
    const bool is_way = (subject == Subject::kQueue && trouble.subject == facts.queue && is_here) ||
                        (subject == Subject::kHost && trouble.subject == host);
    if (is_mine && (is_general || is_way)) facts.troubles.push_back(trouble);
  }
}

}  // namespace

Result<ExplainFacts> explain_facts(const ExplainSources& sources, const store::JobRow& job,
                                   std::optional<Instant> at) {
  ExplainFacts facts{.at = at.value_or(sources.now),
                     .now = sources.now,
                     .created_at = job.created_at,
                     .status = core::status_at(sources.now, job.status, job.paused_until)};
  const auto schedule = compiled(sources, job.tenant, job.definition.name, job.definition.schedule);
  const auto next =
      schedule && core::can_tick(job.status) ? schedule->next(facts.now) : std::nullopt;
  if (next) facts.next = next->tick.instant();
  store::RunFilter filter{.tenant = job.tenant, .job = job.id};
  if (at) filter.to = *at + Duration(1);
  BELFRY_TRY(recent, sources.store.list_runs(filter, "", kRecent));
  if (!at) {
    BELFRY_TRY(tick, last_tick(sources, job));
    choose(recent.runs, tick, facts);
  }
  BELFRY_CHECK(read_revision(sources, job, facts));
  if (!facts.run) BELFRY_CHECK(read_fate(sources, job.id, facts));
  BELFRY_CHECK(read_heir(sources, job.id, facts));
  BELFRY_CHECK(read_run(sources, facts));
  BELFRY_TRY(then, definition_then(sources, job, facts));
  place(sources, job.id, then, facts);
  if (!facts.run) find_overlapped(recent.runs, facts);
  BELFRY_CHECK(read_limit(sources, facts));
  if (facts.run) {
    BELFRY_CHECK(find_holder(sources, then.policies, facts));
    BELFRY_CHECK(find_replacement(sources, then.policies, facts));
  }
  if (facts.blocker) {
    BELFRY_TRY(attempts, sources.store.attempts_of(facts.blocker->run));
    facts.blocker_attempts = std::move(attempts);
  }
  BELFRY_CHECK(read_partition(sources, job.id, facts));
  const bool is_now = !facts.revision || facts.revision->revision == job.revision;
  if (is_now) {
    facts.paused_by = job.paused_by;
    facts.pause_note = job.pause_note;
  }
  take_troubles(sources, job.tenant, then.target, facts);
  return facts;
}

}  // namespace belfry::service
