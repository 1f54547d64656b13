#pragma once

#include "base/error.h"
#include "config/upkeep_options.h"

namespace belfry::server {

// Does something to a store without serving; returns the exit code.
int upkeep(const config::UpkeepOptions& options);

// The exit code of a command that ended with this error: cli/frame/exit_code.h.
int exit_code_of(const Error& error);

}  // namespace belfry::server
