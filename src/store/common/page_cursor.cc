#include "store/common/page_cursor.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace belfry::store {

std::string to_text(const PageCursor& place) {
  return fmt::format("{}.{}.{}.{}", place.part, place.at.micros(), place.run.job.value(),
                     place.run.key.value());
}

Result<PageCursor> parse_cursor(std::string_view text) {
  std::array<std::int64_t, 4> numbers{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  bool good = true;
  for (std::size_t i = 0; i < numbers.size() && good; ++i) {
    const auto [after, error] = std::from_chars(at, end, numbers[i]);
    const bool is_last = i + 1 == numbers.size();
    good = error == std::errc() && (is_last ? after == end : after != end && *after == '.');
    at = is_last ? after : after + 1;
  }
  if (!good || numbers[0] < 0 || numbers[0] > 1 || numbers[2] < 0) {
    return fail({.code = Errc::kInvalid,
                 .message = "is not a cursor",
                 .field = "cursor",
                 .hint = "give the cursor of the page before, or none for the first page"});
  }
  return PageCursor{static_cast<std::uint8_t>(numbers[0]),
                    Instant::from_micros(numbers[1]),
                    {JobId(static_cast<std::uint64_t>(numbers[2])), core::RunKey(numbers[3])}};
}

}  // namespace belfry::store
