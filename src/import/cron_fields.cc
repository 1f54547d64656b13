#include "import/cron_fields.h"

#include <algorithm>

namespace belfry::importer {

bool is_open(std::string_view field) {
  return field == "*" || field == "*/1" || field == "?";
}

bool depends_on_zone(const CronFields& fields) {
  if (!std::all_of(fields.begin() + 1, fields.end(), is_open)) return true;
  const std::string_view minute = fields[0];
  return minute != "*" && minute != "*/5" && minute != "*/15" && minute != "*/3" && minute != "*/1";
}

}  // namespace belfry::importer
