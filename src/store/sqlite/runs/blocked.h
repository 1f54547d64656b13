#pragma once

#include "base/result.h"
#include "core/run.h"
#include "store/sqlite/wire/session.h"

namespace belfry::store::sqlite {

// Exclusive runs that are due while another run of their job runs. They are put out of the claims'
// sight, so that a claim does not walk past each of them each time.
//
// None stays there for ever: it is blocked while a run of its job is running, and each run that
// stops running, or is archived unstarted, unblocks one, which does the same in its turn. That
// nothing runs twice at a time does not hang on this: claims look again.

Status block(const Session& session, const core::RunRef& run);

// The best of those of a job, if any.
Status unblock_next(const Session& session, JobId job);

}  // namespace belfry::store::sqlite
