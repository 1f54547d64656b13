#pragma once

#include "base/result.h"
#include "engine/proof/prove.h"
#include "store/proof.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace belfry::engine {

// Some of all jobs of all tenants, from a place on.
struct LedgerAsk {
  ProofPlace place;
  ProofWindow window;
  std::size_t jobs = 100;
  std::size_t rows_each = 1'000;  // of a job that has more, the rest is left for the next batch
  // Whether the lines of the digest are wanted, of rows that were decided by then.
  std::optional<Instant> lines_by = {};
};

// What a batch says of one tenant's jobs.
struct TenantPart {
  std::int64_t jobs = 0;  // whose proof ended
  core::ProofVerdict verdict;
  std::vector<std::string> lines;  // core::ledger_line, in order
};

struct LedgerFound {
  std::vector<store::LedgerViolation> violations;
  std::map<TenantId, TenantPart> tenants;
  std::optional<Tick> undecided;   // the first one that is due; what follows it in its job is left
  std::size_t jobs = 0;            // read
  std::optional<ProofPlace> next;  // none: these were the last
};

// Compares the ledger of many jobs with their definitions, by few statements: what a proof of ten
// million jobs needs. It judges by the same rule as Prover, and asks that one where a job looks
// wrong, or is not of the usual kind. So whatever is in motion here, a flaw is what Prover takes
// for one.
class LedgerBatch {
 public:
  LedgerBatch(store::Store& store, core::ZoneCatalog& zones)
      : store_(store), prover_(store, zones), schedules_(zones) {}

  Result<LedgerFound> run_once(const LedgerAsk& ask);

 private:
  struct Read;
  struct Part;
  Result<Read> read(const LedgerAsk& ask);
  Result<JobProof> judge(const ProofJob& job, const Part& part);

  store::Store& store_;
  Prover prover_;
  core::ScheduleCache schedules_;
};

}  // namespace belfry::engine
