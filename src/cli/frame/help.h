#pragma once

#include "cli/frame/command.h"

#include <string>

namespace belfry::cli {

// What `--help` says about a command, in lines of up to `width` columns: how it is written, its
// words and flags, the commands below it, examples.
std::string help_for(const Command& command, int width);

}  // namespace belfry::cli
