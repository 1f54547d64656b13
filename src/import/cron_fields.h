#pragma once

#include <array>
#include <string_view>

// The five time fields of cron, as far as several importers ask about them.
namespace belfry::importer {

using CronFields = std::array<std::string_view, 5>;

// Whether a field excludes nothing.
bool is_open(std::string_view field);

// False when every zone would give the same ticks: `*/5 * * * *`. Offsets are whole quarters of an
// hour everywhere.
bool depends_on_zone(const CronFields& fields);

}  // namespace belfry::importer
