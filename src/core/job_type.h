#pragma once

#include "base/result.h"
#include "base/time.h"
#include "core/job.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What holds for all jobs of a type.
namespace belfry::core {

// How many runs may be in somebody's hands at a time, and how quickly they may start. Together they
// are for the whole cluster; 0 is no limit.
struct TypeLimits {
  std::int32_t max_concurrent = 0;
  std::int32_t starts = 0;  // in each `per`
  Duration per = std::chrono::seconds(1);
  std::int32_t burst = 0;  // how many may start at the same moment, after a rest; with `starts`

  bool any() const { return max_concurrent > 0 || starts > 0; }
  friend bool operator==(const TypeLimits&, const TypeLimits&) = default;
};

// What jobs have that do not say.
struct TypeDefaults {
  std::optional<std::int32_t> max_attempts;
  std::optional<Duration> timeout;
  std::optional<Duration> start_within;
  std::optional<Duration> misfire_grace;

  friend bool operator==(const TypeDefaults&, const TypeDefaults&) = default;
};

void apply_defaults(const TypeDefaults& defaults, JobPolicies& policies);

// A rate as users write it: "100/s", "5/m", "1/h". Sets `starts` and `per`, and `burst` to what a
// second brings, at least 1.
Status read_rate(std::string_view text, TypeLimits& limits);
std::string write_rate(const TypeLimits& limits);

// A burst is never less than what a tenth of a second brings: runs are handed out in batches.
std::int32_t least_burst(const TypeLimits& limits);

// ---- The rate: starts are paid for, at one `per / starts` each, and nobody is ahead by more than
// a burst. `paid_until` is all that there is to remember.

// How many may start now.
std::int64_t room_by_rate(const TypeLimits& limits, std::optional<Instant> paid_until, Instant now);
// By both limits, with `held` in somebody's hands.
std::int64_t room_of(const TypeLimits& limits, std::int64_t held, std::optional<Instant> paid_until,
                     Instant now);
// What `paid_until` is once `count` have started.
Instant pay_for(const TypeLimits& limits, std::optional<Instant> paid_until, Instant now,
                std::int64_t count);

// ---- What a node needs that hands out runs of the type.

// More than this cannot start at the same moment.
std::size_t most_at_once(const TypeLimits& limits);
// When to try again after the store had no room.
Duration wait_for_room(const TypeLimits& limits);

}  // namespace belfry::core
