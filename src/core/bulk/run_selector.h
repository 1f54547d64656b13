#pragma once

#include "base/ids.h"
#include "base/json.h"
#include "base/result.h"
#include "base/time.h"
#include "core/run.h"
#include "core/spelling.h"

#include <optional>
#include <string_view>

// Which runs are meant.
namespace belfry::core {

enum class RunAction : std::uint8_t { kCancel, kRetry };
inline constexpr Words<RunAction, 2> kRunActions{
    {{"cancel", RunAction::kCancel}, {"retry", RunAction::kRetry}}};

struct RunSelector {
  RunState state{};
  std::optional<JobId> job = {};
  // Of the time that orders lists of runs: from <= time < to.
  std::optional<Instant> from = {};
  std::optional<Instant> to = {};
};

// As the API spells it: {"state": "DEAD", "job_id": …}; what is not asked for is left out.
Json write_selector(const RunSelector& selector);
// What write_selector wrote.
Result<RunSelector> read_run_selector(std::string_view text);

}  // namespace belfry::core
