#pragma once

#include "base/result.h"
#include "import/systemd/calendar_spec.h"

#include <string>

namespace belfry::importer {

// A calendar event as a cron expression with the same civil times. The one thing that cannot be
// said in general is a weekday and a day of the month at once: systemd wants both, cron either.
Result<std::string> cron_from(const CalendarSpec& spec);

}  // namespace belfry::importer
