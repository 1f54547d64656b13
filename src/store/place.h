#pragma once

#include "base/result.h"
#include "core/run.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace belfry::store {

// A place in a list that is ordered by time: where a page ended, so that the next one begins behind
// it. Users carry it around as a text.
struct Place {
  std::uint8_t part = 0;  // of a list in several parts
  Instant at;
  core::RunRef run;
  friend auto operator<=>(const Place&, const Place&) = default;

  // Before, and behind, every entry of its part.
  static constexpr Place first(std::uint8_t part = 0) { return {part, Instant::min(), {}}; }
  static constexpr Place last(std::uint8_t part = 0) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return {part, Instant::max(), {JobId(std::uint64_t{kMost}), core::RunKey(kMost)}};
  }
};

std::string to_text(const Place& place);

// kInvalid, with the field `cursor`, for a text that to_text did not write.
Result<Place> parse_place(std::string_view text);

}  // namespace belfry::store
