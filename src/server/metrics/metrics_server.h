#pragma once

#include "base/metrics/metrics.h"
#include "base/result.h"
#include "net/server/server.h"

#include <memory>
#include <string>

namespace belfry::server {

// /metrics at an address of its own, without a key: for a network of scrapers only. `metrics` must
// outlive it.
Result<std::unique_ptr<net::HttpServer>> serve_metrics(const std::string& listen,
                                                       const MetricRegistry& metrics);

}  // namespace belfry::server
