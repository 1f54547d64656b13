#pragma once

#include "store/common/settler.h"
#include "store/sqlite/wire/session.h"
#include "store/store.h"

// The steps that changes and registrations of jobs are made of.
namespace belfry::store::sqlite {

// Changes a job that was read and checked.
Result<ChangedJob> apply_change(const Session& session, const JobRow& before,
                                const JobStore::JobChange& change, Settler& settler);

// Decides the one instant of the definition of a new job, just written, if it was over before it
// took effect.
Result<Settled> settle_new(const Session& session, const JobRow& job, Settler& settler);

}  // namespace belfry::store::sqlite
