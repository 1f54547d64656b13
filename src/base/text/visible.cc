#include "base/text/visible.h"

#include "base/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace belfry {
namespace {

void append_escaped(std::string& out, const Character& character, std::string_view bytes) {
  if (character.length > 0 && character.code == '\n') {
    out += "\\n";
  } else if (character.length > 0 && character.code == '\t') {
    out += "\\t";
  } else if (character.length == 0 || character.code < 0x100) {
    const std::uint32_t code =
        character.length == 0 ? static_cast<unsigned char>(bytes.front()) : character.code;
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", code);
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", character.code);
  }
}

template <typename Append>
std::string with_escapes(std::string_view text, std::string_view kept, Append append) {
  std::string out;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(1, character.length));
    const bool is_kept = bytes.size() == 1 && kept.find(bytes.front()) != kept.npos;
    if (is_kept || (character.length > 0 && is_harmless(character.code))) {
      out += bytes;
    } else {
      append(out, character, bytes);
    }
    text.remove_prefix(bytes.size());
  }
  return out;
}

}  // namespace

bool is_harmless(std::uint32_t code) {
  const auto within = [code](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  if (code < 0x20 || within(0x7f, 0x9f)) return false;
  return code != 0x61c && !within(0x200e, 0x200f) && !within(0x2028, 0x202e) &&
         !within(0x2066, 0x206f) && !within(0xfff9, 0xfffb);
}

std::string visible(std::string_view text, std::string_view kept) {
  return with_escapes(text, kept, append_escaped);
}

std::string visible_json(std::string_view json) {
  return with_escapes(json, "\n\t",
                      [](std::string& out, const Character& character, std::string_view) {
                        const std::uint32_t code = character.length == 0 ? 0xfffdU : character.code;
                        fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
                      });
}

}  // namespace belfry
