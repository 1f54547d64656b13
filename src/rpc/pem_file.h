#pragma once

#include "base/result.h"

#include <string>

namespace belfry::rpc {

// All of a file with certificates or a key. kInvalid: it cannot be read.
Result<std::string> read_pem(const std::string& name);

}  // namespace belfry::rpc
