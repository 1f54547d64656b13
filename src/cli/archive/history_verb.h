#pragma once

#include "cli/frame/program.h"

namespace belfry::cli {

void add_history_verb(const Program& program);  // history

}  // namespace belfry::cli
