#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <vector>

// Runs that people ask for, function by function; store.h says what each one does.
namespace belfry::store::sqlite {

Result<RunRow> trigger(const Session& session, const RunStore::Trigger& trigger);

Result<std::vector<BackfillFate>> backfill(const Session& session,
                                           const RunStore::Backfill& backfill);

Result<RunRow> retry_run(const Session& session, const core::RunRef& run, core::RunKey fresh,
                         const Author& author);

}  // namespace belfry::store::sqlite
