#pragma once

#include "base/text/instant_text.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A calendar that is closed for some seconds of each minute, and what it means: as rules for the
// engine, and as arithmetic for the checker, which shares no code with it.
namespace belfry::sim {

inline constexpr std::string_view kFreeze = "freeze";
inline constexpr std::int64_t kClosesAt = 20;  // second of the minute
inline constexpr std::int64_t kOpensAt = 45;

inline std::vector<std::string> freeze_rules(Instant from, int minutes) {
  std::vector<std::string> rules;
  const std::int64_t first = floor_unix_seconds(from) / 60 * 60;
  for (std::int64_t minute = first; minute < first + minutes * 60; minute += 60) {
    rules.push_back(format_instant(from_unix_seconds(minute + kClosesAt)) + ".." +
                    format_instant(from_unix_seconds(minute + kOpensAt)));
  }
  return rules;
}

inline bool is_frozen(Instant at) {
  const std::int64_t second = floor_unix_seconds(at) % 60;
  return second >= kClosesAt && second < kOpensAt;
}

inline Instant thaws_after(Instant frozen) {
  return from_unix_seconds(floor_unix_seconds(frozen) / 60 * 60 + kOpensAt);
}

}  // namespace belfry::sim
