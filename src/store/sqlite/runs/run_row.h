#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <optional>

namespace belfry::store::sqlite {

// Rows, from the columns that all statements about runs, and about skips, begin with.
RunRow read_run(Row& row);
// A row of the views live_rows and past_rows.
RunRow read_listed(Row& row);
SkipRow read_skip(Row& row);

// A run, live or past.
Result<std::optional<RunRow>> find_run(const Session& session, const core::RunRef& run);

}  // namespace belfry::store::sqlite
