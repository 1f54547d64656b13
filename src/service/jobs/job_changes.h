#pragma once

#include "base/result.h"
#include "engine/observer.h"
#include "store/jobs.h"

// Changes of jobs, with what they do to ticks made known. A change decides ticks in the owner's
// stead, and fates are counted whoever decided them.
namespace belfry::service {

// As store::JobStore::change_job; tells the observer what was settled.
Result<store::JobRow> change_job(store::JobStore& jobs, engine::Observer& observer,
                                 const store::JobStore::JobChange& change);

void tell_settled(engine::Observer& observer, JobId job, const store::Settled& settled);

}  // namespace belfry::service
