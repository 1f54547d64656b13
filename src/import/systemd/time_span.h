#pragma once

#include "base/result.h"
#include "base/time.h"

#include <optional>
#include <string_view>

namespace belfry::importer {

// A time span as systemd writes it: "1h 30min", "90" (seconds), "2days", "1.5h".
// nullopt: "infinity".
Result<std::optional<Duration>> parse_time_span(std::string_view text);

}  // namespace belfry::importer
