#pragma once

#include "base/result.h"
#include "core/run.h"
#include "store/sqlite/wire/session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::store::sqlite {

// How a run's life ended.
struct Ending {
  core::RunState state{};
  std::string_view result = {};  // JSON; empty: none
  std::string_view error = {};
  core::DeadReason reason = core::DeadReason::kNone;
};

// What the history keeps of a live run; rows of leaving_run and ending_run.
struct LeavingRun {
  TenantId tenant;
  std::string job_type;
  std::uint32_t revision = 0;
  core::RunOrigin origin{};
  Instant scheduled_for;
  Instant decided_at;
  std::optional<Instant> started_at;
  std::int64_t stands_for = 1;
  AttemptNo attempt;
  Fence fence;
  std::string worker;
  Epoch epoch;
  Incarnation node;
  std::optional<std::string> payload;  // instead of the revision's
};
void read_leaving(Row& row, LeavingRun& run);

// Moves a live run to the history, finished now.
Status archive_run(const Session& session, const core::RunRef& run, const Ending& ending);
// The same, for a run that was just read.
Status archive_run(const Session& session, const core::RunRef& run, const LeavingRun& leaving,
                   const Ending& ending);

}  // namespace belfry::store::sqlite
