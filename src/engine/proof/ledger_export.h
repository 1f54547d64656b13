#pragma once

#include "base/result.h"
#include "engine/proof/prove.h"
#include "store/proof.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace belfry::engine {

struct LedgerExport {
  std::vector<store::LedgerRow> rows;  // by job and first tick
  std::optional<ProofPlace> next;      // none: these were the last
};

// The rows of a tenant's ledger whose first ticks lie in the window, from a place on: at least
// `rows` of them, unless there are fewer or too many jobs of others lie between.
Result<LedgerExport> export_ledger(store::ProofStore& store, TenantId tenant,
                                   const ProofPlace& place, const ProofWindow& window,
                                   std::size_t rows);

// Where the rows of a job that has many are complete: `rows` are the first ones of each kind, no
// more than `each` of one, and what was left out comes no earlier than the each-th of all. None:
// they are all there are.
std::optional<Instant> complete_through(std::span<const store::LedgerRow> rows, std::size_t each,
                                        Instant after);

}  // namespace belfry::engine
