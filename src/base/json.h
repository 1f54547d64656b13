#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// Compiled once, in json.cc; otherwise every file that touches JSON would compile it again.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

// JSON as the API, the command line and the stores' readers see it. Fields keep their order, so
// that what a user wrote comes back as it was written.
namespace belfry {

using Json = nlohmann::ordered_json;

struct JsonLimits {
  std::size_t depth = 64;           // of nested arrays and objects
  std::size_t values = 10'000'000;  // in all; a short text can hold very many
};

// Stricter than the grammar: refuses a name given twice in an object, a number no double can hold
// and too deep nesting, because two readers of such a text may see different things. Also refuses
// too many values, and more than 10,000 names in one object. The error's field is the JSON pointer
// to the place, if there is one.
Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

// On one line, but for values of base/verbatim.h, which stay as they were written. Text that is not
// UTF-8 is written with replacement characters rather than refused.
std::string write_json(const Json& value);

}  // namespace belfry
