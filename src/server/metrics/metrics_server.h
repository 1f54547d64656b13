#pragma once

#include "base/metrics/metrics.h"
#include "base/result.h"
#include "net/server/server.h"

#include <memory>
#include <string>

namespace belfry::server {

// /metrics at an address of its own, for a network of scrapers: without a key, or to whoever sends
// the token in a file (empty: none is asked for). `metrics` must outlive it. kInvalid: the file
// cannot be read, or has no token.
Result<std::unique_ptr<net::HttpServer>> serve_metrics(const std::string& listen,
                                                       const std::string& token_file,
                                                       const MetricRegistry& metrics);

}  // namespace belfry::server
