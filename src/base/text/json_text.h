#pragma once

#include "base/json.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace belfry {

// A text as a JSON string, in quotes; for those who write JSON by hand because they write much.
inline std::string json_text(std::string_view text) {
  const bool is_plain = std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (!is_plain) return write_json(Json(text));
  std::string quoted;
  quoted.reserve(text.size() + 2);
  return quoted.append(1, '"').append(text).append(1, '"');
}

}  // namespace belfry
