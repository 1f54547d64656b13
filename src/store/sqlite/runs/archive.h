#pragma once

#include "base/result.h"
#include "core/run.h"
#include "store/sqlite/wire/session.h"

#include <string_view>

namespace belfry::store::sqlite {

// How a run's life ended.
struct Ending {
  core::RunState state{};
  std::string_view result = {};  // JSON; empty: none
  std::string_view error = {};
  core::DeadReason reason = core::DeadReason::kNone;
};

// Moves a live run to the history, finished now.
Status archive_run(const Session& session, const core::RunRef& run, const Ending& ending);

}  // namespace belfry::store::sqlite
