#pragma once

#include "core/schedule/zone_catalog.h"
#include "import/report.h"

namespace belfry::importer {

// The CronJobs of a YAML file: several documents, and Lists of objects. Their containers are not
// imported: the command runs where the exec worker does, so every job is at least "changed". One
// entry for every line that is not blank; an entry may span the lines below its key.
ImportReport import_k8s(const SourceFile& file, const ImportOptions& options,
                        core::ZoneCatalog& zones);

}  // namespace belfry::importer
