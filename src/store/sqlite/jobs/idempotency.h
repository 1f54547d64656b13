#pragma once

#include "base/result.h"
#include "store/jobs.h"
#include "store/sqlite/wire/session.h"

#include <optional>
#include <span>
#include <vector>

// Requests that may come twice; docs/internals/store.md.
namespace belfry::store::sqlite {

// The jobs an earlier request under the same key led to; none when there was no such request.
// kConflict when it was another request.
Result<std::optional<std::vector<JobRow>>> find_request(const Session& session,
                                                        const IdempotencyKey& idempotency);

Status keep_request(const Session& session, const IdempotencyKey& idempotency,
                    std::span<const RegisteredJob> jobs);

}  // namespace belfry::store::sqlite
