#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <optional>
#include <span>
#include <vector>

// LedgerStore, function by function; store.h says what each one does.
namespace belfry::store::sqlite {

Result<std::vector<RunRow>> runs_of(const Session& session, JobId job);
Result<std::vector<SkipRow>> skips_of(const Session& session, JobId job);
Result<std::vector<AttemptRow>> attempts_of(const Session& session, const core::RunRef& run);
Result<std::vector<std::optional<core::AttemptOutcome>>> outcomes_of(
    const Session& session, std::span<const RunGrant> grants);

// Rows, from the columns that all statements about runs, and about skips, begin with.
RunRow read_run(Row& row);
SkipRow read_skip(Row& row);

// A run, live or past.
Result<std::optional<RunRow>> find_run(const Session& session, const core::RunRef& run);

}  // namespace belfry::store::sqlite
