#include "cli/text/text.h"

#include "base/text/visible.h"

#include <cstdint>
#include <istream>
#include <iterator>

namespace belfry::cli {
namespace {

bool starts_character(char c) {
  return (static_cast<std::uint8_t>(c) & 0xC0U) != 0x80;
}

}  // namespace

std::string clean(std::string_view text) {
  std::string result = visible(text, "\r\n\t");
  for (char& c : result) {
    if (c == '\r' || c == '\n' || c == '\t') c = ' ';
  }
  return result;
}

std::string clean_lines(std::string_view text) {
  return visible(text, "\n\t");
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) {
    if (starts_character(c)) ++width;
  }
  return width;
}

std::string fit(std::string_view text, std::size_t columns) {
  if (width_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t seen = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (starts_character(text[end]) && seen++ == columns - 1) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return grouped(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string field(const Json& object, std::string_view name) {
  if (!object.is_object()) return {};
  const auto found = object.find(std::string(name));
  if (found == object.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : write_json(*found);
}

std::string read_all(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace belfry::cli
