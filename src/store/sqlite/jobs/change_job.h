#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

// The steps that changes and registrations of jobs are made of.
namespace belfry::store::sqlite {

// Changes a job that was read and checked. `settle` runs inside the transaction and must not call
// the store.
Result<JobRow> apply_change(const Session& session, const JobRow& before,
                            const JobStore::JobChange& change, const JobStore::Settle& settle);

// Decides the one instant of a definition just written, if it passed before the definition took
// effect. `before` is null for a new job.
Status settle_start(const Session& session, const JobRow* before, const JobRow& after,
                    const JobStore::Settle& settle);

}  // namespace belfry::store::sqlite
