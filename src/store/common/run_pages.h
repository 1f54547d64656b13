#pragma once

#include "store/common/page_cursor.h"
#include "store/ledger.h"
#include "store/listing.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Makes pages from what a store reads: which parts of a list to read, how they merge, where the
// next page begins. The same for every store.
namespace belfry::store {

// What a store reads for pages: entries after `after`, in the order asked for.
class RunReader {
 public:
  virtual ~RunReader() = default;

  struct Ask {
    Instant from;  // from <= time < to
    Instant to;
    PageCursor after;
    std::size_t most = 0;
    Order order = Order::kNewestFirst;
  };
  virtual Result<std::vector<RunRow>> live_of_job(JobId job, const Ask& ask) = 0;
  virtual Result<std::vector<RunRow>> past_of_job(JobId job, const Ask& ask) = 0;
  // Newest first: live runs by scheduled_for, past runs by finished_at.
  virtual Result<std::vector<RunRow>> live_of_tenant(TenantId tenant, const Ask& ask) = 0;
  virtual Result<std::vector<RunRow>> past_of_tenant(TenantId tenant, const Ask& ask) = 0;
  // Past runs of one state other than kSucceeded.
  virtual Result<std::vector<RunRow>> unhappy_of_tenant(TenantId tenant, core::RunState state,
                                                        const Ask& ask) = 0;
  // Ordered by their first ticks.
  virtual Result<std::vector<SkipRow>> skips_of_job(JobId job, const Ask& ask) = 0;
  // Fills in the results of runs that are over.
  virtual Status add_results(std::span<RunRow> runs) = 0;
};

// ListingStore::list_runs and PastStore::ledger.
Result<RunPage> page_of_runs(RunReader& reader, const RunFilter& filter, const std::string& cursor,
                             std::size_t limit);
Result<LedgerPage> page_of_ledger(RunReader& reader, const LedgerWindow& window,
                                  const std::string& cursor, std::size_t limit);

}  // namespace belfry::store
