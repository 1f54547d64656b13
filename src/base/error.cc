#include "base/error.h"

#include <algorithm>

namespace belfry {

std::string_view name_of(Errc code) {
  switch (code) {
    case Errc::kInvalid: return "invalid";
    case Errc::kNotFound: return "not_found";
    case Errc::kConflict: return "conflict";
    case Errc::kQuotaExceeded: return "quota_exceeded";
    case Errc::kForbidden: return "forbidden";
    case Errc::kFenced: return "fenced";
    case Errc::kUnavailable: return "unavailable";
    case Errc::kUnknownOutcome: return "unknown_outcome";
    case Errc::kInternal: return "internal";
  }
  return "internal";
}

std::string to_string(const Error& error) {
  std::string text;
  if (!error.field.empty()) text += error.field + ": ";
  text += error.message;
  if (!error.hint.empty()) text += "; " + error.hint;
  return text;
}

std::string point_at(std::string_view input, const Error& error) {
  if (!error.span) return {};
  // A tab counts as one column here and as several on a terminal: show it as a blank.
  std::string line(input);
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  // One caret per character, not per byte of its UTF-8 form.
  const auto columns = [&line](std::size_t from, std::size_t to) {
    to = std::min(to, line.size());
    from = std::min(from, to);
    return static_cast<std::size_t>(
        std::count_if(line.begin() + static_cast<std::ptrdiff_t>(from),
                      line.begin() + static_cast<std::ptrdiff_t>(to),
                      [](unsigned char c) { return (c & 0xc0U) != 0x80U; }));
  };
  const std::size_t begin = error.span->begin;
  const std::size_t width = std::max<std::size_t>(1, columns(begin, begin + error.span->length));
  return line + "\n" + std::string(columns(0, begin), ' ') + std::string(width, '^');
}

}  // namespace belfry
