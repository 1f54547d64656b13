#pragma once

#include "base/json.h"
#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

// YAML as another way to write JSON; the only file that knows the library.
namespace belfry::cli {

// A document. What parse_yaml reads of it is the same value.
std::string to_yaml(const Json& value);

// All documents of a text; empty ones are left out. Words without quotes are read as YAML 1.2 has
// them: null, true, false and numbers, everything else is text (so `on` and `12:30` are). `<<`
// merges. A key given twice, and what is not JSON (a key that is no text), is refused; errors name
// the line.
Result<std::vector<Json>> parse_yaml(std::string_view text);

}  // namespace belfry::cli
