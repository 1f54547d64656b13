#pragma once

#include "base/rng.h"
#include "base/time.h"
#include "core/run.h"

#include <cstdint>

namespace belfry::core {

// How an attempt ended, and what its job allows.
struct EndFacts {
  AttemptOutcome outcome{};
  bool retryable = true;  // false: the worker says trying again is useless
  bool cancel_requested = false;
  std::uint32_t attempt = 1;
  std::int32_t max_attempts = 1;
  Duration retry_base{};
  Duration retry_cap{};
  Duration retry_after{};  // the receiver asked for at least this wait
};

// What becomes of the run.
struct EndDecision {
  RunState next{};
  Duration wait{};                        // before the next attempt, with kRetrying
  DeadReason reason = DeadReason::kNone;  // with kDead
};

// Success ends the run, and so does a requested cancellation. A failure is tried again while
// attempts are left, after a wait drawn evenly from [0, min(cap, base * 2^(attempt - 1))], so that
// runs which failed together do not come back together. Otherwise it is a dead letter. A lost lease
// and a timeout count as attempts like any failure: a poison job ends. `retry_after` is granted up
// to a day, so that no stranger's answer puts a run off for ever.
EndDecision decide_end(const EndFacts& facts, Rng& rng);

}  // namespace belfry::core
