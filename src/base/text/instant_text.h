#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>

// Instants as RFC 3339 writes them: "2026-03-08T07:00:00Z", "2026-03-08T03:00:00.250-04:00".
namespace belfry {

// The years (in UTC) in which an instant given by a user may lie.
inline constexpr int kFirstInstantYear = 1970;
inline constexpr int kLastInstantYear = 2199;

// A zone is required, since a time without one means another instant on every machine. A fraction
// of more than six digits is refused, not cut: what is stored is always exactly what was written.
Result<Instant> parse_instant(std::string_view text);

// In UTC, with no fraction, milliseconds or microseconds, whichever is the first to be exact.
// All three write an instant beyond the years 0000 to 9999 (Instant::max(), say) as the nearest
// one RFC 3339 can name.
std::string format_instant(Instant instant);

// As a wall clock `offset_seconds` ahead of UTC shows it; "Z" when that is UTC itself. The offsets
// of some zones long ago had seconds, which RFC 3339 cannot write: they are rounded towards UTC,
// and the text still names the same instant. Less than a day either way.
std::string format_instant(Instant instant, std::int32_t offset_seconds);

// In UTC, always with six digits, so that a column of them lines up.
std::string format_instant_micros(Instant instant);

}  // namespace belfry
