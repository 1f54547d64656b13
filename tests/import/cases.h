#pragma once

#include "import/report.h"

#include <map>
#include <string>
#include <vector>

// Samples of foreign schedules with the report they should give. A file of cases reads
//
//   === what the case is about
//   timezone: Europe/Berlin        (options, see import_test.cc)
//   >>> backup.timer               (an input and its name; more may follow)
//   [Timer]
//   <<<                            (what is expected, as render() writes it)
//   1 ignored: heading
namespace belfry::importer {

struct Case {
  std::string name;
  std::map<std::string, std::string> options;
  std::vector<SourceFile> files;
  std::string expected;
};

std::vector<Case> read_cases(const std::string& path);

// Writes them in the same form, to record what is expected once somebody has checked it.
std::string write_cases(const std::vector<Case>& cases);

// `LINE[-LINE] VERDICT: reason | reason`, and a job as JSON on its own line. Lines of a second file
// begin with its name.
std::string render(const ImportReport& report, bool with_file_names);

// The lines that are not blank and have no entry: "backup.timer:3".
std::vector<std::string> lines_without_entry(const std::vector<SourceFile>& files,
                                             const ImportReport& report);

}  // namespace belfry::importer
