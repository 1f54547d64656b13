#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <optional>
#include <string>
#include <vector>

// ListingStore, PastStore and OverviewStore, function by function; their headers in store/ say what
// each one does.
namespace belfry::store::sqlite {

Result<JobPage> list_jobs(const Session& session, const JobFilter& filter, const std::string& after,
                          std::size_t limit);
Result<RunRow> show_run(const Session& session, const core::RunRef& run);
Result<RunPage> list_runs(const Session& session, const RunFilter& filter,
                          const std::string& cursor, std::size_t limit);

Result<LedgerPage> ledger(const Session& session, const LedgerWindow& window,
                          const std::string& cursor, std::size_t limit);
// Those before revision `before` that took effect before `at`.
Result<std::vector<RevisionRow>> revisions_of(const Session& session, JobId job,
                                              std::optional<std::uint32_t> before, Instant at,
                                              std::size_t limit);

Result<Overview> overview(const Session& session);
Result<LiveRuns> live_runs(const Session& session);
Result<Totals> totals(const Session& session);

}  // namespace belfry::store::sqlite
