#pragma once

#include "cli/frame/program.h"

namespace belfry::cli {

void add_open_verb(const Program& program);  // open

}  // namespace belfry::cli
