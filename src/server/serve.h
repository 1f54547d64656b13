#pragma once

#include "config/serve_options.h"

namespace belfry::server {

// Runs a node until SIGTERM or SIGINT, then hands over and returns; a second signal exits at once.
// Returns the exit code.
int serve(const config::ServeOptions& options);

}  // namespace belfry::server
