#pragma once

#include "import/builder.h"
#include "import/findings.h"
#include "import/report.h"
#include "import/systemd/unit_file.h"

#include <string_view>

namespace belfry::importer {

// What a service contributes to the jobs of its timers.
struct ServicePart {
  ImportedJob job;    // command, timeout, labels, description; no schedule
  Findings findings;  // about the job as a whole
};

// Reads a service that is started under the name `run_as` (an instance, if `unit` is a template),
// and reports its lines.
ServicePart read_service(const Unit& unit, std::string_view run_as, ReportBuilder& builder);

// Reports the lines of a unit that are not part of a job: comments, headings, and settings by
// unit_keys.h. `lost` gets the names of settings whose loss changes the job.
void report_common_line(const UnitLine& line, ReportBuilder& builder,
                        std::vector<std::string>& lost);

// One finding for all lost settings.
void report_lost(const std::vector<std::string>& lost, std::string_view unit, Findings& findings);

}  // namespace belfry::importer
