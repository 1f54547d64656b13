#pragma once

#include "base/error.h"
#include "cli/upkeep_options.h"

namespace belfry::server {

// Does something to a store without serving; returns the exit code.
int upkeep(const cli::UpkeepOptions& options);

// What a command that ended with this error exits with: cli/exit_code.h.
int exit_code_of(const Error& error);

}  // namespace belfry::server
