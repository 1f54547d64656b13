#pragma once

#include "base/result.h"
#include "config/serve_options.h"
#include "trace/exporter.h"

#include <string>

namespace belfry::server {

// Where a node's spans go, and what they say of the node. kInvalid for an endpoint or headers that
// cannot be meant.
Result<trace::ExporterConfig> exporter_config(const config::ServeOptions& options,
                                              const std::string& node);

}  // namespace belfry::server
