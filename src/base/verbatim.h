#pragma once

#include "base/json.h"

#include <string>
#include <string_view>

// JSON values that are kept as the text they were written as: with its digits, escapes and white
// space. A user's payload is delivered byte for byte, and parsing it would lose that.
namespace belfry {

// A value that write_json writes as this text, which must be JSON. To everything else it is an
// opaque leaf.
Json verbatim(std::string text);

bool is_verbatim(const Json& value);

// The value as such, whether it was kept as text or not.
Json plain(const Json& value);

// Like parse_json, but values at a place are kept as written, except null. The place is a JSON
// pointer in which `*` stands for each: "/payload", "/jobs/*/payload".
Result<Json> parse_json_keeping(std::string_view place, std::string_view text,
                                const JsonLimits& limits = {});

// A JSON text without the blanks around it.
std::string_view without_blanks(std::string_view text);

}  // namespace belfry
