#pragma once

#include "import/findings.h"
#include "import/report.h"

#include <string>
#include <string_view>

namespace belfry::importer {

struct AnacronLine {
  std::string name;
  std::string command;
};

// `PERIOD DELAY NAME COMMAND`: the schedule and policies of `job`. anacron runs what is due when
// the host is up, at no certain time; this chooses the first minute anacron itself would.
AnacronLine parse_anacron(std::string_view line, int start_hour, ImportedJob& job,
                          Findings& findings);

}  // namespace belfry::importer
