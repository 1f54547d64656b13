#pragma once

#include "base/result.h"
#include "config/upkeep_options.h"

namespace belfry::server {

// Brings the embedded store back from a backup; a PostgreSQL database was brought back by its own
// tools before. Then what was promised since the backup is void, and the ticks since then are
// decided as the options say. Says on stderr what was done.
Status restore(const config::UpkeepOptions& options);

}  // namespace belfry::server
