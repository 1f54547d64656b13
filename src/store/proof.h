#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/proof/check.h"
#include "core/proof/facts.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// What a proof of the whole ledger reads, many jobs at a time; and what the leader keeps of it: how
// far it is, what it found, and a statement about each day.
namespace belfry::store {

struct LedgerJob {
  JobId id;
  TenantId tenant;
  std::string name;
  Instant effective_from;  // the last change settled its ticks up to here
};

struct LedgerRevision {
  JobId job;
  core::ProofRevision revision;
};

struct LedgerRow {
  JobId job;
  core::FateRow fate;
  Instant decided_at;  // of a skip: when its first tick was
};

// How far the leader is. There is one of these.
struct LedgerCheck {
  std::uint64_t version = 0;  // of the row it was read from; 0: there is none yet
  Instant checked_through;    // every tick up to here was looked for
  Instant kept_after;         // what was written about ticks up to here may have been dropped
  Instant sealed_through;     // days that ended by then have their statements
  std::int64_t violations = 0;
  std::string pass;  // where the pass over all jobs stands, as engine/proof writes it; empty: none
};

struct LedgerViolation {
  TenantId tenant;
  JobId job;
  core::LedgerFlaw flaw;
  std::uint64_t id = 0;   // the store's
  std::string name = {};  // of the job
  Instant found_at = {};  // the store's
};

struct ProofTally {
  TenantId tenant;
  std::string tally;  // as engine/proof writes it
};

// The statement about a tenant's day.
struct ProofRow {
  TenantId tenant;
  Instant day;  // its first instant, in UTC
  std::string statement;
  std::string digest;      // of the statement
  std::string public_key;  // PEM; empty: there was no key to sign with
  std::string signature;   // base64
  Instant sealed_at = {};  // the store's
};

class ProofStore {
 public:
  virtual ~ProofStore() = default;

  // Jobs after `after`, by id; also deleted ones, unless they were by `ended_by`.
  virtual Result<std::vector<LedgerJob>> ledger_jobs(JobId after, Instant ended_by,
                                                     std::size_t limit) = 0;
  // Their revisions, by job and number: those in force at `after`, and all that came later.
  virtual Result<std::vector<LedgerRevision>> ledger_revisions(std::span<const JobId> jobs,
                                                               Instant after) = 0;
  // What the ledger has on ticks in (after, through], by job and first tick: no more than `each` of
  // a job's runs that live, of those that are over, and of its skips. Runs that somebody asked for
  // are left out.
  struct LedgerSpan {
    std::span<const JobId> jobs;
    Instant after;
    Instant through;
    std::size_t each = 1'000;
  };
  virtual Result<std::vector<LedgerRow>> ledger_rows(const LedgerSpan& span) = 0;

  virtual Result<LedgerCheck> ledger_check() = 0;

  // One step, all of it or nothing. kConflict when another step was made since `check` was read: a
  // lost reply looks like that too, and whoever asks reads where things stand and goes on.
  struct LedgerStep {
    LedgerCheck check;  // with the version it was read with
    std::span<const LedgerViolation> found = {};
    bool drop_tallies = false;  // before those below are put
    std::span<const ProofTally> tallies = {};
    std::span<const ProofRow> sealed = {};  // these tenants' tallies go
  };
  // Returns which of `found` were news. Counts them as violations, and tells who watches.
  virtual Result<std::vector<LedgerViolation>> advance_ledger_check(const LedgerStep& step) = 0;

  // The newest first; of all tenants, or of one.
  virtual Result<std::vector<LedgerViolation>> ledger_violations(std::optional<TenantId> tenant,
                                                                 Instant found_after,
                                                                 std::size_t limit) = 0;
  // Those after a tenant, in order.
  virtual Result<std::vector<ProofTally>> proof_tallies(TenantId after, std::size_t limit) = 0;
  // The newest first, of days before `before`.
  virtual Result<std::vector<ProofRow>> proofs(TenantId tenant, Instant before,
                                               std::size_t limit) = 0;
};

// No more than so many violations are kept and told.
inline constexpr std::size_t kMostViolations = 10'000;

}  // namespace belfry::store
