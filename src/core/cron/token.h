#pragma once

#include "base/error.h"
#include "base/text/ascii.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

// Helpers of the cron parser: pieces of text that know where they stand, and characters.
namespace belfry::core {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
inline bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// A piece of an expression that knows where it stands in the whole.
struct Token {
  std::string_view text;
  std::size_t begin = 0;

  Token part(std::size_t from, std::size_t length = std::string_view::npos) const {
    return {text.substr(from, length), begin + from};
  }
  TextSpan span() const { return {begin, text.size()}; }
  bool contains(char c) const { return text.find(c) != std::string_view::npos; }
};

// The parts between separators; empty ones included.
inline std::vector<Token> split(Token whole, char separator) {
  std::vector<Token> parts;
  std::size_t from = 0;
  for (std::size_t to = 0; (to = whole.text.find(separator, from)) != std::string_view::npos;) {
    parts.push_back(whole.part(from, to - from));
    from = to + 1;
  }
  parts.push_back(whole.part(from));
  return parts;
}

}  // namespace belfry::core
