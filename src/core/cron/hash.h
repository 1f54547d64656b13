#pragma once

#include "base/result.h"
#include "core/cron/field.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace belfry::core {

// The number `H` draws its value from, fixed for ever by the key (`tenant/job_name`) and the field:
// the same on every node, restart and release.
std::uint64_t hash_for_field(std::string_view key, Field field);

// The expression with every `H` written out: `H/15 * * * *` becomes `10,25,40,55 * * * *`.
Result<std::string> resolve_hash(std::string_view text, Dialect dialect, std::string_view key);

}  // namespace belfry::core
