#pragma once

#include "base/result.h"

#include <functional>
#include <string>

namespace belfry::server {

// Reads the JWK set of an OpenID provider each time it is called: from a file, or by HTTPS.
// kInvalid: the place is neither.
Result<std::function<Result<std::string>()>> issuer_keys(const std::string& place);

}  // namespace belfry::server
