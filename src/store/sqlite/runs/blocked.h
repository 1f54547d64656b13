#pragma once

#include "base/result.h"
#include "core/run.h"
#include "store/sqlite/wire/session.h"

namespace belfry::store::sqlite {

// Exclusive runs that are due while another run of their job runs. They are put out of the claims'
// sight, so that a claim does not walk past each of them each time.
//
// None stays there for ever: it is blocked while a run of its job is running, and each run that
// stops running, or is archived unstarted, unblocks one, which does the same in its turn. Claims
// check again, so exclusiveness does not depend on this.

Status block(const Session& session, const core::RunRef& run);

// Unblocks the best run of a job, if one is blocked.
Status unblock_next(const Session& session, JobId job);

}  // namespace belfry::store::sqlite
