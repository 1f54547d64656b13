#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace belfry {

// One character of a text; a length of 0 means that the bytes there are not UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

// The character a text begins with. The text is not empty.
Character first_character(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace belfry
