#pragma once

#include "base/metrics/metrics.h"

namespace belfry::server {

// What the system knows about this process, under the names every program uses for it: memory,
// time, files, threads. Read from /proc/self at each scrape; NaN where it cannot be read.
void add_process_metrics(MetricRegistry& registry);

}  // namespace belfry::server
