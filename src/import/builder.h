#pragma once

#include "base/result.h"
#include "core/schedule/zone_catalog.h"
#include "import/findings.h"
#include "import/names.h"
#include "import/report.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace belfry::importer {

struct SourcePlace {
  std::string file;
  std::size_t first_line = 0;
  std::size_t last_line = 0;
};

// Puts a report together. Every job passes through here: it gets a name of its own and is checked
// by the rules a server would apply, so that what is reported as imported can be registered.
class ReportBuilder {
 public:
  // Both must outlive the builder.
  ReportBuilder(const ImportOptions& options, core::ZoneCatalog& zones)
      : options_(options), zones_(zones) {}

  // An empty report with the same options, for what has been reported already.
  ReportBuilder fresh() const { return {options_, zones_}; }

  // A line that does not make a job.
  void line(const SourcePlace& place, Verdict verdict, std::string reason);
  void line(const SourcePlace& place, const Findings& findings);

  // A line that makes a job, unless the findings or the schedule's own check refuse it.
  // `wanted_name` and what the job does decide its name.
  void job(const SourcePlace& place, ImportedJob job, Findings findings,
           std::string_view wanted_name);

  // The host's zone, for a schedule that names none; assuming one is a finding.
  std::string host_zone(Findings& findings) const;

  // Whether the clocks of a zone will be changed after `options.from`.
  bool changes_clocks(std::string_view zone) const;

  // Adds findings that depend on who runs the command.
  void ran_as(std::string_view user, ImportedJob& job, Findings& findings) const;

  void note(std::string words) { report_.notes.push_back(std::move(words)); }

  // The report, ordered by file (as first mentioned) and line.
  ImportReport take();

 private:
  Status check(const ImportedJob& job) const;

  const ImportOptions& options_;
  core::ZoneCatalog& zones_;
  UniqueNames names_;
  ImportReport report_;
};

}  // namespace belfry::importer
