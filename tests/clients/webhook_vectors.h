#pragma once

#include "base/json.h"

#include <optional>
#include <string>

namespace belfry::scenarios {

// What is wrong with how the server signs, if anything: a call that a receiver must accept carries
// the signature that the server makes with one of the secrets, and one with a bad signature does
// not. What a receiver refuses for other reasons does not concern the sender.
std::optional<std::string> check_signature(const Json& vector);

}  // namespace belfry::scenarios
