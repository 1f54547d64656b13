#include "net/message_text.h"

#include <algorithm>

namespace belfry::net {
namespace {

bool is_value(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
  });
}

}  // namespace

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool are_sendable(const Headers& headers) {
  return std::ranges::all_of(
      headers, [](const Header& field) { return is_token(field.name) && is_value(field.value); });
}

}  // namespace belfry::net
