#pragma once

#include "config/work_options.h"

#include <string>

namespace belfry::server {

// Runs an exec worker until SIGTERM or SIGINT, then drains; a second signal exits at once. Returns
// the exit code.
int work(const config::WorkOptions& options);

// "host-4711": the name of a worker that nobody named.
std::string worker_name();

}  // namespace belfry::server
