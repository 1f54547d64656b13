#pragma once

#include "core/schedule/zone_catalog.h"
#include "import/report.h"

#include <span>

namespace belfry::importer {

// systemd timers with the services they start. Files are told apart by their names: `x.timer`,
// `x.service`, and drop-ins `x.timer.d/any.conf`; folders in front do not matter. Each OnCalendar=
// makes a job, and so does a repeating interval. One entry for every line that is not blank.
ImportReport import_systemd(std::span<const SourceFile> files, const ImportOptions& options,
                            core::ZoneCatalog& zones);

}  // namespace belfry::importer
