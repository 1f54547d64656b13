#pragma once

#include "base/json.h"
#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

// YAML as another way to write JSON; the only file that knows the library.
namespace belfry::cli {

// Writes a document; parse_yaml reads the same value back.
std::string to_yaml(const Json& value);

// All documents of a text; empty ones are left out. Words without quotes are read as in YAML 1.2:
// null, true, false and numbers; everything else is text, also `on` and `12:30`. `<<` merges. A key
// given twice is refused, and so is what JSON does not have (a key that is not text); errors name
// the line.
Result<std::vector<Json>> parse_yaml(std::string_view text);

}  // namespace belfry::cli
