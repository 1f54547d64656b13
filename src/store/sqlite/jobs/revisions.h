#pragma once

#include "store/jobs.h"
#include "store/sqlite/wire/session.h"

#include <optional>
#include <vector>

namespace belfry::store::sqlite {

// Those before revision `before` that took effect before `at`, the newest first.
Result<std::vector<RevisionRow>> find_revisions(const Session& session, JobId job,
                                                std::optional<std::uint32_t> before, Instant at,
                                                std::size_t limit);

}  // namespace belfry::store::sqlite
