#include "base/log/log_escape.h"

#include "base/text/utf8.h"
#include "base/text/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace belfry {
namespace {

bool is_bare(char c) {
  return c > ' ' && c <= '~' && c != '"' && c != '\\' && c != '=';
}

// The escapes that text and JSON have in common; empty if there is none.
std::string_view short_escape(std::uint32_t code) {
  switch (code) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return {};
  }
}

void append_hex_bytes(std::string& out, std::string_view bytes) {
  for (const char byte : bytes) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(byte));
  }
}

// Quotes, short escapes and harmless characters as they are; `append_other` deals with the rest,
// given the character and its bytes (one byte where they are not UTF-8).
template <typename AppendOther>
void append_quoted(std::string& out, std::string_view value, AppendOther append_other) {
  out += '"';
  while (!value.empty()) {
    const Character character = first_character(value);
    const std::string_view bytes = value.substr(0, std::max<std::size_t>(1, character.length));
    const std::string_view escape =
        character.length == 0 ? std::string_view() : short_escape(character.code);
    if (!escape.empty()) {
      out += escape;
    } else if (character.length > 0 && is_harmless(character.code)) {
      out += bytes;
    } else {
      append_other(character, bytes);
    }
    value.remove_prefix(bytes.size());
  }
  out += '"';
}

}  // namespace

void append_text_value(std::string& out, std::string_view value) {
  if (!value.empty() && std::all_of(value.begin(), value.end(), is_bare)) {
    out += value;
    return;
  }
  append_quoted(out, value,
                [&out](Character, std::string_view bytes) { append_hex_bytes(out, bytes); });
}

void append_json_string(std::string& out, std::string_view value) {
  append_quoted(out, value, [&out](Character character, std::string_view) {
    const std::uint32_t code = character.length == 0 ? 0xfffdU : character.code;
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);  // never above U+FFFF
  });
}

}  // namespace belfry
