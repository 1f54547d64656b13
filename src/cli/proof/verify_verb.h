#pragma once

#include "cli/frame/program.h"

namespace belfry::cli {

void add_verify_verb(const Program& program);  // verify

}  // namespace belfry::cli
