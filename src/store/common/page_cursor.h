#pragma once

#include "base/result.h"
#include "core/run.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace belfry::store {

// A place in a list that is ordered by time: where a page ended, so that the next one begins after
// it. Users carry it around as a text.
struct PageCursor {
  std::uint8_t part = 0;  // of a list in several parts
  Instant at;
  core::RunRef run;
  friend auto operator<=>(const PageCursor&, const PageCursor&) = default;

  // The places before and after every entry of a part.
  static constexpr PageCursor first(std::uint8_t part = 0) { return {part, Instant::min(), {}}; }
  static constexpr PageCursor last(std::uint8_t part = 0) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return {part, Instant::max(), {JobId(std::uint64_t{kMost}), core::RunKey(kMost)}};
  }
};

std::string to_text(const PageCursor& place);

// kInvalid, with the field `cursor`, for a text that to_text did not write.
Result<PageCursor> parse_cursor(std::string_view text);

}  // namespace belfry::store
