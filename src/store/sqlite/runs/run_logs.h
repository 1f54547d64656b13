#pragma once

#include "store/run_logs.h"
#include "store/sqlite/wire/session.h"

#include <optional>
#include <span>

// RunLogStore, function by function; run_logs.h of the store says what each one does.
namespace belfry::store::sqlite {

Status put_notes(const Session& session, std::span<const RunNote> notes);
Result<RunLog> find_log(const Session& session, const core::RunRef& run,
                        std::optional<AttemptNo> attempt);

}  // namespace belfry::store::sqlite
