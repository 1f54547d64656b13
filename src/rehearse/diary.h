#pragma once

#include "base/time.h"
#include "core/reason.h"
#include "core/run.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace belfry::rehearse {

// Something that happened in a rehearsal. They come in the order of `at`.
struct Event {
  enum class Kind : std::uint8_t {
    kFired,     // a run began
    kSkipped,   // ticks got no run
    kReplaced,  // a run was ended by a newer one of its job, perhaps before it began
    kTimedOut,  // an attempt took longer than its job allows
    kDied,      // a run was given up
  };
  Kind kind{};
  std::size_t job = 0;          // its place in the plan
  Instant at;                   // when it happened
  Tick tick;                    // of the run, or the first of those skipped
  Tick last;                    // the last of these
  std::int64_t ticks = 1;       // skipped, or that the run stands for
  core::SkipReason reason{};    // with kSkipped
  core::DeadReason why{};       // with kDied
  std::optional<Tick> other;    // the run that was in the way, was waited for, or took its place
  bool waited_in_line = false;  // with kFired: catching up, it took its turn
};

using Diary = std::function<void(const Event&)>;

}  // namespace belfry::rehearse
