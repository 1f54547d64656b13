#pragma once

#include "cli/files/source_files.h"
#include "cli/frame/session.h"
#include "import/report.h"

#include <vector>

// What an import says, for people and for programs.
namespace belfry::cli {

// The counts, then a line for each entry that is a job or was refused or changed.
void print_report(const importer::ImportReport& report, const Session& session);

Json to_json(const importer::ImportReport& report);

// The lines whose jobs Belfry now has, for a person to remove, so that nothing runs twice.
void print_lines_to_remove(const importer::ImportReport& report, const std::vector<TextFile>& files,
                           const Session& session);

}  // namespace belfry::cli
