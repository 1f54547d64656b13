#pragma once

#include "import/findings.h"
#include "import/k8s/k8s_lines.h"
#include "import/report.h"

#include <string>
#include <vector>

namespace belfry::importer {

// The one container of a pod: its command, environment and folder go into `job`. Settings that are
// not imported are added to `lost`.
void read_container(const YAML::Node& container, YamlLines& lines, ImportedJob& job,
                    Findings& findings, std::vector<std::string>& lost);

}  // namespace belfry::importer
