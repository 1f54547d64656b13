#pragma once

#include "base/json.h"
#include "base/result.h"
#include "cli/files/source_files.h"

#include <string>
#include <string_view>
#include <vector>

// Jobs as files:
//
//   version: v1                       # may be left out
//   defaults: {timezone: Europe/Berlin, labels: {env: prod}}
//   jobs:
//     nightly-invoices:               # or a list, with job_name in each
//       cron_expression: 30 2 * * 1-5
//       target: {kind: HTTP, url: https://billing.internal/run}
//
// The fields are those of the API. Several documents are read one after the other, each with its
// own defaults; `labels` and `retry` of the defaults are merged with those of a job.
namespace belfry::cli {

// The jobs of all files, in their order, with the defaults filled in. Errors name the file and
// the job. A name given twice is refused, and so is `delay`, which would mean another instant at
// every reading.
Result<std::vector<Json>> read_manifest(const std::vector<TextFile>& files);

// Jobs, as a person would write them, as one file.
std::string write_manifest(const std::vector<Json>& jobs);

}  // namespace belfry::cli
