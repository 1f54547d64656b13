#pragma once

#include "base/clock.h"
#include "base/log/log.h"
#include "base/result.h"

#include <string>

namespace belfry::demo {

// Fills a new SQLite file with three tenants, sixty jobs and a fortnight that ends now. kConflict
// when there is a file already: a demonstration must not mix with what is real.
Status play(const std::string& path, const Clock& clock, Logger& log);

}  // namespace belfry::demo
