#pragma once

#include "base/result.h"
#include "base/time.h"

#include <string>
#include <string_view>

// Durations as users write them: whole numbers with the units d, h, m, s and ms, from large to
// small, each at most once: "90s", "1h30m", "250ms", "2d". No sign, no blanks, no fraction.
namespace belfry {

// 100 years. Anything longer is a typing error, and a sum of a few could overflow.
inline constexpr Duration kLongestDuration = std::chrono::days(36'525);

// Accepts "0s": a caller that needs a positive duration refuses it in the words of its own field.
Result<Duration> parse_duration(std::string_view text);

// In the largest units that fit: "1h30m", "2d", "1s500ms". Whole milliseconds, rounded down. Less
// than nothing is "0s": the difference of two clocks' readings may be, and no text may end a node.
std::string format_duration(Duration duration);

}  // namespace belfry
