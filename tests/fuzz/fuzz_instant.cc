#include "base/text/instant_text.h"
#include "tests/fuzz/fuzz.h"

#include <cstring>

namespace belfry::fuzz {
namespace {

void check_round_trip(Instant instant, std::int32_t offset_seconds) {
  for (const std::string& text : {format_instant(instant), format_instant(instant, offset_seconds),
                                  format_instant_micros(instant)}) {
    const Result<Instant> parsed = parse_instant(text);
    BELFRY_ASSERT(parsed.has_value() && *parsed == instant);
  }
}

// Later instants have later texts: what sorts as text sorts as time.
void check_order(Instant a, Instant b) {
  BELFRY_ASSERT((a < b) == (format_instant_micros(a) < format_instant_micros(b)));
}

}  // namespace
}  // namespace belfry::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using belfry::Instant;
  static const Instant kLast = belfry::parse_instant("2199-12-31T23:59:59.999999Z").value();

  std::int32_t offset_seconds = 0;
  if (size >= sizeof(offset_seconds)) std::memcpy(&offset_seconds, data, sizeof(offset_seconds));
  offset_seconds %= 86'400;

  const std::string_view input = belfry::fuzz::as_text(data, size);
  const belfry::Result<Instant> parsed = belfry::parse_instant(input);
  if (parsed) {
    BELFRY_ASSERT(*parsed >= Instant() && *parsed <= kLast);
    belfry::fuzz::check_round_trip(*parsed, offset_seconds);
  } else {
    belfry::fuzz::check_refusal(input, parsed.error());
  }

  std::int64_t micros = 0;
  if (size >= sizeof(micros)) {
    std::memcpy(&micros, data + size - sizeof(micros), sizeof(micros));
    // Formatting takes any instant; parsing takes those in range.
    const Instant any = Instant::from_micros(micros);
    BELFRY_ASSERT(!belfry::format_instant(any, offset_seconds).empty());
    const Instant drawn = Instant::from_micros((micros & INT64_MAX) % (kLast.micros() + 1));
    belfry::fuzz::check_round_trip(drawn, offset_seconds);
    if (parsed) belfry::fuzz::check_order(*parsed, drawn);
  }
  return 0;
}
