#include "tests/clients/matching.h"

#include <algorithm>

namespace belfry::scenarios {
namespace {

std::string fill_text(const std::string& text, const Variables& variables) {
  std::string filled;
  std::size_t at = 0;
  for (std::size_t start = text.find("${"); start != std::string::npos;
       start = text.find("${", at)) {
    const std::size_t end = text.find('}', start);
    const Json& value = variables.at(text.substr(start + 2, end - start - 2));
    filled += text.substr(at, start - at) +
              (value.is_string() ? value.get<std::string>() : write_json(value));
    at = end + 1;
  }
  return filled + text.substr(at);
}

bool fits(const Json& expected, const Json& got) {
  return !mismatch(expected, got);
}

bool holds(const std::string& rule, const Json& wanted, const Json& got) {
  if (rule == "$any") return !got.is_null();
  if (rule == "$none") return got.is_null();
  if (rule == "$more_than") return got.is_number() && got > wanted;
  if (rule == "$not") return !fits(wanted, got);
  if (rule == "$size") return got.is_array() && got.size() == wanted.get<std::size_t>();
  if (rule == "$some") {
    return got.is_array() && std::any_of(got.begin(), got.end(),
                                         [&](const Json& each) { return fits(wanted, each); });
  }
  return false;  // no such rule
}

std::string complaint(const std::string& place, const Json& expected, const Json& got) {
  return (place.empty() ? "/" : place) + ": expected " + write_json(expected) + ", got " +
         write_json(got);
}

}  // namespace

Json fill(const Json& value, const Variables& variables) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    const bool whole = text.starts_with("${") && text.find('}') == text.size() - 1;
    return whole ? variables.at(text.substr(2, text.size() - 3)) : Json(fill_text(text, variables));
  }
  Json filled = value;
  if (value.is_structured()) {
    for (Json& each : filled) each = fill(each, variables);
  }
  return filled;
}

std::optional<std::string> mismatch(const Json& expected, const Json& got,
                                    const std::string& place) {
  if (expected.is_object() && expected.size() == 1 && expected.begin().key().starts_with('$')) {
    if (holds(expected.begin().key(), expected.begin().value(), got)) return {};
    return complaint(place, expected, got);
  }
  if (expected.is_object()) {
    if (!got.is_object()) return complaint(place, expected, got);
    for (const auto& [name, each] : expected.items()) {
      const auto found = got.find(name);
      if (auto wrong = mismatch(each, found == got.end() ? Json() : *found, place + "/" + name)) {
        return wrong;
      }
    }
    return {};
  }
  if (expected.is_array()) {
    if (!got.is_array() || got.size() != expected.size()) return complaint(place, expected, got);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (auto wrong = mismatch(expected[i], got[i], place + "/" + std::to_string(i))) return wrong;
    }
    return {};
  }
  if (expected == got) return {};
  return complaint(place, expected, got);
}

}  // namespace belfry::scenarios
