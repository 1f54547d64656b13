#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// RunStore for those who execute, without claim, function by function; store.h says what each one
// does.
namespace belfry::store::sqlite {

Result<std::vector<HeartbeatAnswer>> heartbeat(const Session& session,
                                               std::span<const RunGrant> grants, Duration lease);
Result<std::vector<AttemptFacts>> facts_of(const Session& session,
                                           std::span<const RunGrant> grants);
Result<std::vector<AttemptFacts>> find_expired(const Session& session, std::size_t most);
Result<std::vector<bool>> end_attempts(const Session& session, std::span<const AttemptEnd> ends);
Status return_runs(const Session& session, std::span<const RunGrant> grants, Duration wait);
Result<bool> cancel_run(const Session& session, const core::RunRef& run, const Author& author);
Result<std::optional<Instant>> next_due(const Session& session);

}  // namespace belfry::store::sqlite
