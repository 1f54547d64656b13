#pragma once

#include "engine/proof/prove.h"

#include <optional>
#include <string>
#include <string_view>

namespace belfry::api {

// Where a walk over jobs stands: "JOB", or "JOB.MICROS" within a job; and back.
std::string write_place(const engine::ProofPlace& place);
std::optional<engine::ProofPlace> read_place(std::string_view text);

}  // namespace belfry::api
