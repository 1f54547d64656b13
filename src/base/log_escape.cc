#include "base/log_escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace belfry {
namespace {

// One character of a text; a length of 0 means that the bytes there are not UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

std::uint32_t byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

Character first_character(std::string_view text) {
  const std::uint32_t lead = byte_at(text, 0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xc2 || lead > 0xf4) return {};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (text.size() < length) return {};
  std::uint32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0U) != 0x80U) return {};
    code = code << 6 | (byte_at(text, i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest.at(length) || surrogate || code > 0x10ffff) return {};
  return {code, length};
}

// Neither a control character (C0, DEL, C1) nor one that breaks or reorders the line on a screen.
bool is_harmless(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return false;
  return !(code >= 0x2028 && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069);
}

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
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte_at(bytes, i));
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
