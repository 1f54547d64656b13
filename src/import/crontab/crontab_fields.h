#pragma once

#include "base/result.h"
#include "import/cron_fields.h"
#include "import/findings.h"
#include "import/report.h"

#include <string>
#include <string_view>

namespace belfry::importer {

// The five time fields of a crontab line as a Belfry expression with the same ticks; what differs
// or cannot be said is a finding. Looks only at how the dialects differ: whether the values make
// sense is for core to say.
std::string expression_from(const CronFields& fields, Findings& findings);

// `@daily` and the like: fills in the schedule of `job`.
void schedule_from_shorthand(std::string_view word, ImportedJob& job, Findings& findings);

}  // namespace belfry::importer
