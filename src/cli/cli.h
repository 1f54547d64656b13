#pragma once

#include "cli/frame/terminal.h"

#include <string>
#include <vector>

namespace belfry::cli {

// Runs one command line (without the program's name) and returns its exit code.
int run(std::vector<std::string> arguments, const Terminal& terminal, const Serve& serve,
        const Work& work = {}, const Upkeep& upkeep = {});

}  // namespace belfry::cli
