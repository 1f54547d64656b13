#include "service/jobs/explain_facts.h"

#include "base/json.h"
#include "core/queue.h"

#include <algorithm>
#include <cstddef>

namespace belfry::service {
namespace {

// Of a job's newest runs: more are never live at once where one is in the way.
constexpr std::size_t kRecent = 20;

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
    if (run != nullptr && run->run.key == core::run_key_of(Tick(facts.at))) facts.run = *run;
  }
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

// Of a skipped tick: the oldest run that was live then. Of a run that waits: one of its job that
// is going.
void find_blocker(const std::vector<store::RunRow>& recent, ExplainFacts& facts) {
  for (const store::RunRow& run : recent) {
    if (facts.run) {
      const bool is_other = run.run != facts.run->run && run.state == core::RunState::kRunning;
      if (!facts.run->started_at && core::is_live(facts.run->state) && is_other)
        facts.blocker = run;
    } else if (run.scheduled_for <= facts.at && was_live(run, facts.at)) {
      facts.blocker = run;
    }
  }
}

// The instant and, if it is what happened last, the run that is meant by "why?".
void choose(const std::vector<store::RunRow>& recent, const store::JobRow& job,
            const std::optional<core::Schedule>& schedule, ExplainFacts& facts) {
  const auto tick = schedule ? schedule->previous(facts.now) : std::nullopt;
  facts.never_ticked = !tick || tick->tick.instant() <= job.created_at;
  facts.at = facts.never_ticked ? facts.next.value_or(facts.now) : tick->tick.instant();
  if (recent.empty()) return;
  const store::RunRow& newest = recent.front();
  if (!facts.never_ticked && newest.scheduled_for < facts.at) return;
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

// What keeps ticks and runs of this job.
void take_troubles(const ExplainSources& sources, const store::JobRow& job, ExplainFacts& facts) {
  const std::string host = host_of(job.definition.target);
  for (const Trouble& trouble : sources.troubles) {
    const bool is_mine = !trouble.tenant || *trouble.tenant == job.tenant;
    const bool is_general =
        trouble.severity == Severity::kCritical || trouble.code == TroubleCode::kPartitionsUnowned;
    const Subject subject = subject_of(trouble.code);
    const bool is_way = (subject == Subject::kQueue && trouble.subject == facts.queue) ||
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
                     .status = job.status,
                     .queue = core::queue_of(job.definition)};
  const auto schedule = compiled(sources, job.tenant, job.definition.name, job.definition.schedule);
  const auto next =
      schedule && core::can_tick(job.status) ? schedule->next(facts.now) : std::nullopt;
  if (next) facts.next = next->tick.instant();
  store::RunFilter filter{.tenant = job.tenant, .job = job.id};
  if (at) filter.to = *at + Duration(1);
  BELFRY_TRY(recent, sources.store.list_runs(filter, "", kRecent));
  if (!at) choose(recent.runs, job, schedule, facts);
  BELFRY_CHECK(read_revision(sources, job, facts));
  if (!facts.run) BELFRY_CHECK(read_fate(sources, job.id, facts));
  BELFRY_CHECK(read_run(sources, facts));
  find_blocker(recent.runs, facts);
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
  take_troubles(sources, job, facts);
  return facts;
}

}  // namespace belfry::service
