#pragma once

#include "cli/frame/program.h"

namespace belfry::cli {

void add_proof_verb(const Program& program);  // proof

}  // namespace belfry::cli
