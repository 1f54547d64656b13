#pragma once

#include "import/builder.h"
#include "import/k8s/k8s_lines.h"

namespace belfry::importer {

// One object of kind CronJob: says something about each of its keys, and makes its job.
void read_cron_job(const YAML::Node& object, YamlLines& lines, const ReportBuilder& builder);

}  // namespace belfry::importer
