#pragma once

#include "base/ids.h"
#include "base/time.h"

#include <cstdint>

namespace belfry::core {

// Where a run is in its life. The first three are live, the rest are history.
enum class RunState : std::uint8_t {
  kReady,
  kRunning,
  kRetrying,  // failed, waits for its next attempt
  kSucceeded,
  kFailed,  // for good, without being a dead letter
  kDead,    // attempts used up, or failed for good: kept until somebody looks
  kCancelled,
  kTimedOut,
};

constexpr bool is_live(RunState state) {
  return state <= RunState::kRetrying;
}

// It ended, and its work was not done, although nobody called it off.
constexpr bool is_failure(RunState state) {
  return state == RunState::kFailed || state == RunState::kDead || state == RunState::kTimedOut;
}

enum class RunOrigin : std::uint8_t { kSchedule, kManual, kBackfill, kRetry };

// How one attempt ended.
enum class AttemptOutcome : std::uint8_t { kSucceeded, kFailed, kTimedOut, kLeaseLost, kCancelled };

// Why a run is a dead letter.
enum class DeadReason : std::uint8_t {
  kNone,            // it is none
  kAttempts,        // all attempts are used up
  kPermanent,       // its worker said that trying again is useless
  kNotStarted,      // nobody started it in time
  kUnknownHandler,  // its worker does not know its type
  kUnstuck,         // somebody took it from its worker
};

// The lower half of a run's id says which of the job's runs it is.
using RunKey = Strong<struct RunKeyTag, std::int64_t>;

constexpr RunKey run_key_of(Tick tick) {
  return RunKey(tick.instant().micros());
}

struct RunRef {
  JobId job;
  RunKey key;
  friend auto operator<=>(const RunRef&, const RunRef&) = default;
};

// Proof of holding a run: only the holder of its highest fence holds the run.
struct RunGrant {
  RunRef run;
  Fence fence;
  friend auto operator<=>(const RunGrant&, const RunGrant&) = default;
};

constexpr RunId run_id_of(const RunRef& run) {
  return RunId({run.job.value(), static_cast<std::uint64_t>(run.key.value())});
}

}  // namespace belfry::core
