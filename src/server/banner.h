#pragma once

#include "config/serve_options.h"

#include <string>

namespace belfry::server {

// What a person who has started a node by hand wants to know: where it is, where it keeps things,
// whether it runs commands, and what to type next.
std::string banner(const config::ServeOptions& options, int port, bool runs_commands);

}  // namespace belfry::server
