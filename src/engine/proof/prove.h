#pragma once

#include "base/result.h"
#include "core/proof/check.h"
#include "core/schedule/zone_catalog.h"
#include "store/store.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace belfry::engine {

// What is to be proven. Nobody can say anything of ticks at or before `kept_after`: what was
// written about them may have been dropped.
struct ProofScope {
  TenantId tenant;
  std::optional<JobId> job = {};  // none: all that are not deleted
  Instant after = Instant::min();
  Instant through = Instant::max();
  Instant kept_after = Instant::min();
};

// Where a proof stands. It goes step by step, because there may be millions of jobs, or of ticks of
// one job; whoever wants it carries this from step to step.
struct ProofPlace {
  JobId job;                       // jobs up to this one are done; 0: none is ...
  std::optional<Instant> at = {};  // ... but this very one only so far
};

struct JobFlaw {
  JobId job;
  std::string name;
  core::LedgerFlaw flaw;
};

struct JobUnproven {
  JobId job;
  std::string name;
  core::Unproven what;
};

struct ProofStep {
  std::size_t jobs = 0;  // whose proof ended in this step
  core::FateCounts counts;
  std::vector<JobFlaw> flaws;
  std::vector<JobUnproven> unproven;
  // The first tick of the scope that is due and not decided yet. What comes after it in its job is
  // left for another time.
  std::optional<Tick> undecided;
  std::optional<ProofPlace> next;  // none: done
};

// A job that is to be proven, and in which time.
struct ProofJob {
  JobId id;
  TenantId tenant;
  std::string name;
  // The cursor of its partition, or where its last change settled it: that may be later, and a
  // change that leaves the definition as it is (to resume a job that is active) makes no revision.
  Instant decided_through;
};
struct ProofWindow {
  Instant after;
  Instant through;
};
struct JobProof {
  core::ProofVerdict verdict;
  std::optional<Tick> undecided;  // what comes after it is left for another time
  std::optional<Instant> cut;     // proven only through here, because there is so much
  std::size_t rows = 0;
};

struct ProofBudget {
  std::size_t jobs = 100;    // in a step
  std::size_t rows = 5'000;  // of the ledger, read in a step; a little more, where pages end so
  std::size_t page = 1'000;  // rows read at a time
};

// Replays the definitions of jobs and compares what they ask for with what the ledger has.
//
// Everything goes on meanwhile: ticks are decided, runs move to history, jobs are changed. The
// order of reading (clock, cursors, revisions, ledger) makes what is read later a superset of what
// is needed. Where that is not enough, a second look decides: only what both see is a flaw.
class Prover {
 public:
  // What it needs of a store.
  struct Stores {
    Stores(store::Store& whole)  // NOLINT(google-explicit-constructor): a store is all of them
        : clock(whole), overview(whole), jobs(whole), listing(whole), ledger(whole) {}
    store::OwnershipStore& clock;
    store::OverviewStore& overview;
    store::JobStore& jobs;
    store::ListingStore& listing;
    store::LedgerStore& ledger;
  };
  Prover(const Stores& stores, core::ZoneCatalog& zones, const ProofBudget& budget = {})
      : stores_(stores), schedules_(zones), budget_(budget) {}

  // kNotFound when the job is missing, or another tenant's.
  Result<ProofStep> step(const ProofScope& scope, const ProofPlace& place);

  // One job. What looks wrong is looked at once more; what is right then was in motion.
  Result<JobProof> prove(const ProofJob& job, const ProofWindow& window);

 private:
  struct Rows {
    std::vector<core::FateRow> rows;
    std::optional<Instant> cut;  // none: these are all
  };
  struct Jobs {
    std::vector<store::JobRow> jobs;
    bool has_more = false;
  };
  Result<Jobs> next_jobs(const ProofScope& scope, const ProofPlace& place);
  Result<std::vector<core::ProofRevision>> read_revisions(JobId job, Instant after);
  Result<Rows> read_rows(JobId job, const ProofWindow& window);
  Result<JobProof> look_at(const ProofJob& job, const ProofWindow& window);

  const Stores stores_;
  core::ScheduleCache schedules_;
  const ProofBudget budget_;
};

}  // namespace belfry::engine
