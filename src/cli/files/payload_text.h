#pragma once

#include "base/json.h"
#include "base/result.h"

namespace belfry::cli {

// A payload reaches its receiver byte for byte, which YAML does not keep. So a file writes it as
// YAML only where reading that back gives the same bytes, and else as `payload_text`, a string.

// For a file: a payload kept as written (base/verbatim.h) becomes one or the other.
void show_payload(Json& job);

// From a file: `payload_text` becomes the payload. kInvalid when it is not JSON, or beside one.
Status read_payload_text(Json& job);

}  // namespace belfry::cli
