#pragma once

#include "core/schedule/zone_catalog.h"
#include "import/job_json.h"
#include "import/report.h"
#include "tests/fuzz/fuzz.h"
#include "tests/import/cases.h"

#include <set>
#include <string>
#include <vector>

namespace belfry::fuzz {

// For any input: each line has an entry, each entry that is not a plain success has a reason, and
// each job has a name of its own, a command and a schedule.
inline void check_report(const std::vector<importer::SourceFile>& files,
                         const importer::ImportReport& report) {
  BELFRY_ASSERT(importer::lines_without_entry(files, report).empty());
  std::set<std::string> names;
  for (const importer::ImportEntry& entry : report.entries) {
    BELFRY_ASSERT(entry.first_line >= 1 && entry.first_line <= entry.last_line);
    BELFRY_ASSERT(entry.verdict == importer::Verdict::kImported || !entry.reasons.empty());
    if (!entry.job) continue;
    BELFRY_ASSERT(names.insert(entry.job->job_name).second);
    BELFRY_ASSERT(!entry.job->command.empty());
    BELFRY_ASSERT(!entry.job->cron_expression.empty() || !entry.job->every.empty() ||
                  !entry.job->run_at.empty());
    BELFRY_ASSERT(!importer::to_json(*entry.job).empty());
  }
}

inline core::ZoneCatalog& zones() {
  static core::ZoneCatalog catalog;
  return catalog;
}

}  // namespace belfry::fuzz
