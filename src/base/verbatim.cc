#include "base/verbatim.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace belfry {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Goes through a text beside the value that was parsed from it; so the text is known to be JSON,
// and its members come in the value's order.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // the parser takes a byte order mark as well
  }

  void walk(Json& value, std::span<const std::string_view> place) {
    skip_blanks();
    if (place.empty()) {
      const std::size_t begin = at_;
      skip_value();
      if (!value.is_null()) value = verbatim(std::string(text_.substr(begin, at_ - begin)));
    } else if (value.is_structured()) {
      walk_members(value, place);
    } else {
      skip_value();
    }
  }

 private:
  void walk_members(Json& value, std::span<const std::string_view> place) {
    ++at_;  // the opening bracket
    for (auto& [name, member] : value.items()) {
      skip_blanks();
      if (value.is_object()) {
        skip_string();
        skip_blanks();
        ++at_;  // the colon
      }
      if (place[0] == "*" || place[0] == name) {
        walk(member, place.subspan(1));
      } else {
        skip_blanks();
        skip_value();
      }
      skip_blanks();
      ++at_;  // a comma, or the closing bracket
    }
    if (!value.empty()) return;
    skip_blanks();
    ++at_;
  }

  void skip_blanks() {
    while (at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos) ++at_;
  }
  void skip_string() {
    for (++at_; text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  void skip_value() {
    std::size_t depth = 0;
    do {
      const char c = text_[at_];
      if (c == '"') {
        skip_string();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        --depth;
        ++at_;
      } else if (depth > 0) {
        ++at_;
      } else {
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      }
    } while (depth > 0);
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

std::vector<std::string_view> segments_of(std::string_view place) {
  std::vector<std::string_view> segments;
  while (!place.empty()) {
    place.remove_prefix(1);  // the slash
    segments.push_back(place.substr(0, place.find('/')));
    place.remove_prefix(segments.back().size());
  }
  return segments;
}

}  // namespace

Json verbatim(std::string text) {
  return Json::binary(std::vector<std::uint8_t>(text.begin(), text.end()));
}

bool is_verbatim(const Json& value) {
  return value.is_binary();  // no JSON text has such a value of its own
}

Json plain(const Json& value) {
  return is_verbatim(value) ? parse_json(write_json(value)).value_or(Json()) : value;
}

Result<Json> parse_json_keeping(std::string_view place, std::string_view text,
                                const JsonLimits& limits) {
  BELFRY_TRY(value, parse_json(text, limits));
  Walker(text).walk(value, segments_of(place));
  return value;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace belfry
