#pragma once

#include "base/result.h"
#include "base/time.h"
#include "core/schedule/zone_catalog.h"

#include <string>
#include <string_view>

namespace belfry::cli {

// Turns what a person types for an instant into one:
//   2026-03-08T07:00:00Z, 2026-03-08T07:00Z     RFC 3339, the seconds may be left out
//   now, +2h, -90m             from now
//   2026-03-08T07:00, 2026-03-08 07:00:30, 2026-03-08, 07:00     on the wall clock of `timezone`;
//                              a time without a date is today's
// A wall-clock time that the clocks skip means the end of the jump; one that comes twice,
// the first.
Result<Instant> parse_time(std::string_view text, Instant now, const std::string& timezone,
                           core::ZoneCatalog& zones);

// Whether a text means different instants in different zones.
bool is_wall_clock(std::string_view text);

// The zone this machine lives in: TZ (`variable`), or what /etc/localtime points at; else UTC.
std::string local_zone(const std::string& variable);

}  // namespace belfry::cli
