#include "engine/proof/prove.h"

#include "core/proof/stretches.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

namespace belfry::engine {
namespace {

constexpr std::size_t kRevisions = 100;  // read at a time
constexpr int kMostPages = 10'000;       // of revisions, or of rows

core::ProofRevision revision_of(store::RevisionRow&& row) {
  core::ProofRevision revision{.revision = row.revision,
                               .effective_from = row.effective_from,
                               .created_at = row.created_at,
                               .status = row.status,
                               .paused_until = row.paused_until};
  revision.definition.name = std::move(row.name);
  revision.definition.schedule = std::move(row.schedule);
  revision.definition.policies = row.policies;
  return revision;
}

// None for what is not about ticks.
std::optional<core::FateRow> fate_of(const store::LedgerEntry& entry) {
  if (const auto* skip = std::get_if<store::SkipRow>(&entry)) {
    return core::FateRow{
        .first = skip->first, .last = skip->last, .skipped = skip->reason, .count = skip->count};
  }
  const auto& run = std::get<store::RunRow>(entry);
  if (run.origin != core::RunOrigin::kSchedule) return std::nullopt;
  const Tick tick(run.scheduled_for);
  core::FateRow fate{.first = tick,
                     .last = tick,
                     .count = run.stands_for,
                     .revision = run.revision,
                     .decided_at = run.decided_at};
  // The clock may have been set back before a later attempt.
  if (run.attempts == 1) fate.started_at = run.started_at;
  return fate;
}

Instant first_of(const store::LedgerEntry& entry) {
  if (const auto* skip = std::get_if<store::SkipRow>(&entry)) return skip->first.instant();
  return std::get<store::RunRow>(entry).scheduled_for;
}

}  // namespace

Result<Prover::Jobs> Prover::next_jobs(const ProofScope& scope, const ProofPlace& place) {
  if (scope.job || place.at) {
    BELFRY_TRY(job, stores_.jobs.find_job(scope.job.value_or(place.job)));
    if (job.tenant != scope.tenant) return fail(Errc::kNotFound, "there is no such job");
    return Jobs{.jobs = {std::move(job)}, .has_more = !scope.job};
  }
  std::string after;
  if (place.job != JobId()) {
    BELFRY_TRY(job, stores_.jobs.find_job(place.job));
    if (job.tenant != scope.tenant) return fail(Errc::kNotFound, "there is no such job");
    after = job.definition.name;
  }
  BELFRY_TRY(page, stores_.listing.list_jobs({.tenant = scope.tenant}, after, budget_.jobs));
  return Jobs{.jobs = std::move(page.jobs), .has_more = page.next.has_value()};
}

Result<ProofStep> Prover::step(const ProofScope& scope, const ProofPlace& place) {
  // The clock first: what is due by now is decided, or seen to be undecided.
  BELFRY_TRY(now, stores_.clock.clock());
  BELFRY_TRY(overview, stores_.overview.overview());
  std::map<PartitionNo, Instant> cursors;
  for (const auto& each : overview.partitions) cursors[each.partition] = each.decided_through;
  BELFRY_TRY(found, next_jobs(scope, place));
  const std::vector<store::JobRow>& jobs = found.jobs;
  ProofWindow window{.after = std::max(scope.after, scope.kept_after),
                     .through = std::min(scope.through, now)};
  if (place.at) window.after = std::max(window.after, *place.at);

  ProofStep step;
  if (found.has_more && !jobs.empty()) step.next = ProofPlace{jobs.back().id};
  std::size_t rows = 0;
  for (const store::JobRow& row : jobs) {
    if (window.through <= window.after) {
      ++step.jobs;
      continue;
    }
    const Instant decided = std::max(cursors[partition_of(row.id)], row.effective_from);
    const ProofJob job{row.id, row.tenant, row.definition.name, decided};
    BELFRY_TRY(looked, prove(job, window));
    step.counts += looked.verdict.counts;
    for (auto& flaw : looked.verdict.flaws) {
      step.flaws.push_back({job.id, job.name, std::move(flaw)});
    }
    for (auto& gap : looked.verdict.unproven) {
      step.unproven.push_back({job.id, job.name, std::move(gap)});
    }
    if (looked.undecided && (!step.undecided || *looked.undecided < *step.undecided)) {
      step.undecided = looked.undecided;
    }
    rows += looked.rows;
    if (looked.cut) {
      step.next = ProofPlace{job.id, looked.cut};
      break;
    }
    ++step.jobs;
    if (rows >= budget_.rows && &row != &jobs.back()) {
      step.next = ProofPlace{job.id};
      break;
    }
  }
  return step;
}

Result<JobProof> Prover::prove(const ProofJob& job, const ProofWindow& window) {
  BELFRY_TRY(looked, look_at(job, window));
  if (looked.verdict.flaws.empty()) return looked;
  BELFRY_TRY(again, look_at(job, window));
  std::erase_if(looked.verdict.flaws, [&](const core::LedgerFlaw& flaw) {
    return std::ranges::none_of(again.verdict.flaws, [&](const core::LedgerFlaw& other) {
      return other.kind == flaw.kind && other.first == flaw.first;
    });
  });
  return looked;
}

Result<JobProof> Prover::look_at(const ProofJob& job, const ProofWindow& window) {
  BELFRY_TRY(revisions, read_revisions(job.id, window.after));
  BELFRY_TRY(read, read_rows(job.id, window));
  JobProof looked{.cut = read.cut, .rows = read.rows.size()};
  Instant through = read.cut.value_or(window.through);
  looked.undecided = core::first_undecided(
      job.tenant, revisions, std::max(job.decided_through, window.after), through, schedules_);
  if (looked.undecided) {
    through = looked.undecided->instant() - Duration(1);
    looked.cut.reset();  // what follows is not decided either
  }
  // Ticks that their own change decided may lie before.
  const Instant reads = core::reads_after(job.tenant, revisions, window.after, schedules_);
  if (reads < window.after) {
    BELFRY_TRY(earlier, read_rows(job.id, {.after = reads, .through = window.after}));
    for (const core::FateRow& row : earlier.rows) {
      if (row.last.instant() <= window.after) read.rows.push_back(row);
    }
  }
  if (through <= window.after) return looked;
  looked.verdict = core::check_ledger({.tenant = job.tenant,
                                       .revisions = revisions,
                                       .rows = read.rows,
                                       .after = window.after,
                                       .through = through},
                                      schedules_);
  return looked;
}

// Those in force after `after`, oldest first.
Result<std::vector<core::ProofRevision>> Prover::read_revisions(JobId job, Instant after) {
  std::vector<core::ProofRevision> revisions;  // newest first
  std::optional<Instant> in_force;             // since when the one at `after` was
  std::optional<std::uint32_t> before;
  for (int i = 0; i < kMostPages; ++i) {
    BELFRY_TRY(page, stores_.jobs.revisions_of(job, before, kRevisions));
    const bool is_last = page.size() < kRevisions;
    for (store::RevisionRow& row : page) {
      before = row.revision;
      if (in_force && row.effective_from < *in_force) {
        std::ranges::reverse(revisions);
        return revisions;
      }
      if (!in_force && row.effective_from <= after) in_force = row.effective_from;
      revisions.push_back(revision_of(std::move(row)));
    }
    if (is_last) break;
  }
  std::ranges::reverse(revisions);
  return revisions;
}

Result<Prover::Rows> Prover::read_rows(JobId job, const ProofWindow& window) {
  const store::LedgerWindow asked{.job = job,
                                  .from = window.after + Duration(1),
                                  .to = window.through + Duration(1),
                                  .order = store::Order::kOldestFirst};
  Rows rows;
  std::string cursor;
  for (int i = 0; i < kMostPages; ++i) {
    BELFRY_TRY(page, stores_.ledger.ledger(asked, cursor, budget_.page));
    for (const store::LedgerEntry& entry : page.entries) {
      if (const auto fate = fate_of(entry)) rows.rows.push_back(*fate);
    }
    if (!page.next) return rows;
    cursor = *page.next;
    // Others may share the tick of the last one, so that is left for the next step.
    const Instant last = first_of(page.entries.back()) - Duration(1);
    if (rows.rows.size() >= budget_.rows && last > window.after) {
      rows.cut = last;
      return rows;
    }
  }
  return fail(Errc::kInternal, "a ledger without an end");
}

}  // namespace belfry::engine
