#pragma once

#include "cli/frame/program.h"

namespace belfry::cli {

void add_rehearse_verb(const Program& program);  // rehearse

}  // namespace belfry::cli
