#include "engine/proof/ledger_batch.h"

#include "core/proof/day_tally.h"
#include "core/proof/stretches.h"
#include "engine/proof/ledger_export.h"

#include <algorithm>
#include <span>
#include <utility>

namespace belfry::engine {

// What a batch is about, as the store has it.
struct LedgerBatch::Read {
  std::map<PartitionNo, Instant> cursors;
  std::vector<store::LedgerJob> jobs;
  std::vector<store::LedgerRevision> revisions;  // by job
  std::vector<store::LedgerRow> rows;            // by job and tick
  bool has_more = false;                         // jobs
};

// One job's share of it.
struct LedgerBatch::Part {
  std::vector<core::ProofRevision> revisions;
  std::vector<core::FateRow> rows;
  ProofWindow window;
  bool is_cut = false;  // the window ends before that of the batch
};

namespace {

// Those of one job, from a list that is ordered by job.
template <typename T>
std::span<const T> share_of(const std::vector<T>& all, JobId job) {
  const auto range = std::ranges::equal_range(all, job, {}, &T::job);
  return {range.begin(), range.end()};
}

void add_lines(std::span<const store::LedgerRow> rows, const ProofWindow& window, Instant by,
               std::vector<std::string>& lines) {
  std::vector<std::pair<Instant, std::string>> placed;
  for (const store::LedgerRow& row : rows) {
    const Instant first = row.fate.first.instant();
    if (first <= window.after || first > window.through || row.decided_at > by) continue;
    placed.emplace_back(first, core::ledger_line(row.job, row.fate));
  }
  std::ranges::sort(placed);
  for (auto& [first, line] : placed) lines.push_back(std::move(line));
}

void append(core::ProofVerdict& to, core::ProofVerdict&& more) {
  to.counts += more.counts;
  std::ranges::move(more.flaws, std::back_inserter(to.flaws));
  std::ranges::move(more.unproven, std::back_inserter(to.unproven));
}

}  // namespace

// The cursors first: what is read later has at least what they promise.
Result<LedgerBatch::Read> LedgerBatch::read(const LedgerAsk& ask) {
  Read read;
  BELFRY_TRY(overview, store_.overview());
  for (const auto& each : overview.partitions) read.cursors[each.partition] = each.decided_through;
  // One that is half done comes first.
  const JobId after = ask.place.at ? JobId(ask.place.job.value() - 1) : ask.place.job;
  BELFRY_TRY(jobs, store_.ledger_jobs(after, ask.window.after, ask.jobs));
  read.has_more = jobs.size() == ask.jobs;
  read.jobs = std::move(jobs);
  std::vector<JobId> ids;
  for (const store::LedgerJob& job : read.jobs) ids.push_back(job.id);
  if (ids.empty()) return read;
  // A job that is half done has rows of its own.
  const bool goes_on = ask.place.at && ids.front() == ask.place.job;
  const std::span<const JobId> fresh = std::span(ids).subspan(goes_on ? 1 : 0);
  BELFRY_TRY(revisions, store_.ledger_revisions(ids, ask.window.after));
  read.revisions = std::move(revisions);
  if (goes_on) {
    BELFRY_TRY(rows, store_.ledger_rows({.jobs = {ids.data(), 1},
                                         .after = std::max(*ask.place.at, ask.window.after),
                                         .through = ask.window.through,
                                         .each = ask.rows_each}));
    read.rows = std::move(rows);
  }
  if (!fresh.empty()) {
    BELFRY_TRY(rows, store_.ledger_rows({.jobs = fresh,
                                         .after = ask.window.after,
                                         .through = ask.window.through,
                                         .each = ask.rows_each}));
    read.rows.insert(read.rows.end(), rows.begin(), rows.end());
  }
  return read;
}

Result<JobProof> LedgerBatch::judge(const ProofJob& job, const Part& part) {
  const ProofWindow& window = part.window;
  // Ticks that their own change decided lie elsewhere.
  if (core::reads_after(job.tenant, part.revisions, window.after, schedules_) < window.after) {
    return prover_.prove(job, window);
  }
  JobProof proof{.rows = part.rows.size()};
  proof.undecided =
      core::first_undecided(job.tenant, part.revisions, std::max(job.decided_through, window.after),
                            window.through, schedules_);
  const Instant through =
      proof.undecided ? proof.undecided->instant() - Duration(1) : window.through;
  if (through <= window.after) return proof;
  proof.verdict = core::check_ledger({.tenant = job.tenant,
                                      .revisions = part.revisions,
                                      .rows = part.rows,
                                      .after = window.after,
                                      .through = through},
                                     schedules_);
  if (proof.verdict.flaws.empty()) return proof;
  return prover_.prove(job, window);
}

Result<LedgerFound> LedgerBatch::run_once(const LedgerAsk& ask) {
  BELFRY_TRY(read, this->read(ask));
  LedgerFound found{.jobs = read.jobs.size()};
  if (read.has_more) found.next = ProofPlace{read.jobs.back().id};
  for (const store::LedgerJob& each : read.jobs) {
    const Instant decided = std::max(read.cursors[partition_of(each.id)], each.effective_from);
    const ProofJob job{each.id, each.tenant, each.name, decided};
    Part part{.window = ask.window};
    if (ask.place.at && each.id == ask.place.job) {
      part.window.after = std::max(*ask.place.at, part.window.after);
    }
    const auto rows = share_of(read.rows, each.id);
    if (const auto cut = complete_through(rows, ask.rows_each, part.window.after)) {
      part.window.through = *cut;
      part.is_cut = true;
    }
    for (const auto& row : share_of(read.revisions, each.id))
      part.revisions.push_back(row.revision);
    for (const store::LedgerRow& row : rows) {
      if (row.fate.first.instant() <= part.window.through) part.rows.push_back(row.fate);
    }
    BELFRY_TRY(proof, judge(job, part));
    if (proof.cut) part.window.through = *proof.cut;
    part.is_cut |= proof.cut.has_value();
    for (const core::LedgerFlaw& flaw : proof.verdict.flaws) {
      found.violations.push_back(
          {.tenant = each.tenant, .job = each.id, .flaw = flaw, .name = each.name});
    }
    if (proof.undecided && (!found.undecided || *proof.undecided < *found.undecided)) {
      found.undecided = proof.undecided;
    }
    TenantPart& tenant = found.tenants[each.tenant];
    append(tenant.verdict, std::move(proof.verdict));
    if (ask.lines_by) add_lines(rows, part.window, *ask.lines_by, tenant.lines);
    if (part.is_cut && !proof.undecided) {
      found.next = ProofPlace{each.id, part.window.through};
      return found;
    }
    ++tenant.jobs;
  }
  return found;
}

}  // namespace belfry::engine
