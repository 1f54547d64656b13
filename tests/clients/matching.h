#pragma once

#include "base/json.h"

#include <map>
#include <optional>
#include <string>

// How clients/scenarios.json says what it expects; clients/README.md has the rules.
namespace belfry::scenarios {

using Variables = std::map<std::string, Json>;

// The value with each ${name} replaced; a text that is only a variable becomes its value.
Json fill(const Json& value, const Variables& variables);

// What is wrong with `got`, if anything.
std::optional<std::string> mismatch(const Json& expected, const Json& got,
                                    const std::string& place = {});

}  // namespace belfry::scenarios
