#include "base/text/duration_text.h"
#include "tests/fuzz/fuzz.h"

#include <cstring>

namespace belfry::fuzz {
namespace {

// What parses is in range, and the text we would write for it means the same.
void check_text(std::string_view input) {
  const Result<Duration> parsed = parse_duration(input);
  if (!parsed) return check_refusal(input, parsed.error());
  BELFRY_ASSERT(*parsed >= Duration::zero() && *parsed <= kLongestDuration);
  const std::string text = format_duration(*parsed);
  const Result<Duration> again = parse_duration(text);
  BELFRY_ASSERT(again.has_value() && *again == *parsed);
}

// Any duration, taken from the bytes, comes back as its whole milliseconds.
void check_value(std::uint64_t bits) {
  const Duration duration(static_cast<Duration::rep>(
      bits % (static_cast<std::uint64_t>(kLongestDuration.count()) + 1)));
  const Result<Duration> parsed = parse_duration(format_duration(duration));
  BELFRY_ASSERT(parsed.has_value());
  BELFRY_ASSERT(*parsed == std::chrono::floor<std::chrono::milliseconds>(duration));
}

}  // namespace
}  // namespace belfry::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  belfry::fuzz::check_text(belfry::fuzz::as_text(data, size));
  std::uint64_t bits = 0;
  if (size >= sizeof(bits)) {
    std::memcpy(&bits, data, sizeof(bits));
    belfry::fuzz::check_value(bits);
  }
  return 0;
}
