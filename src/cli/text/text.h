#pragma once

#include "base/json.h"

#include <cstddef>
#include <string>
#include <string_view>

// Makes texts from elsewhere fit for a terminal.
namespace belfry::cli {

// On one line, with what could command the terminal or reorder the line shown as `\x1b` or
// `\u202e`; see base/text/visible.h.
std::string clean(std::string_view text);
// The same with its line ends.
std::string clean_lines(std::string_view text);

// How many columns it takes, roughly: one for each character.
std::size_t width_of(std::string_view text);

// Cut to this many columns, with an ellipsis where something is missing.
std::string fit(std::string_view text, std::size_t columns);

// "12,345"
std::string grouped(std::uint64_t number);

// "1 job", "12 jobs".
std::string counted(std::uint64_t number, std::string_view noun);

// The field of an object as text: empty when it is absent or null, JSON when it is not text.
std::string field(const Json& object, std::string_view name);

// The whole stream, or "" if it is empty.
std::string read_all(std::istream& in);

}  // namespace belfry::cli
