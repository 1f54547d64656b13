#include "api/frame/object_reader.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/suggest.h"

#include <algorithm>

namespace belfry::api {
namespace {

constexpr std::size_t kMostUnknown = 100;
constexpr std::size_t kUsuallyKnown = 48;  // a job's

const Json kNothing = Json::object();

bool is_control_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_control_character);
}

}  // namespace

ObjectReader::ObjectReader(const Json& object, std::string pointer,
                           std::vector<Complaint>& complaints)
    : object_(object.is_object() ? object : kNothing),
      pointer_(std::move(pointer)),
      complaints_(complaints) {
  known_.reserve(kUsuallyKnown);
  if (object.is_object()) return;
  complaints_.push_back({pointer_, "invalid", "an object is expected here", "write {…}"});
}

std::string ObjectReader::pointer(std::string_view name) const {
  std::string pointer = pointer_ + "/";
  for (const char c : name) {  // RFC 6901
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

void ObjectReader::complain(std::string_view name, std::string code, std::string message,
                            std::string hint) {
  complaints_.push_back({pointer(name), std::move(code), std::move(message), std::move(hint)});
}

void ObjectReader::require(std::string_view name, std::string hint) {
  if (has(name)) return;
  complain(name, "required", "`" + std::string(name) + "` is missing", std::move(hint));
}

const Json* ObjectReader::any(std::string_view name) {
  known_.push_back(name);
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

const Json* ObjectReader::given(std::string_view name) {
  const Json* value = any(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

bool ObjectReader::has(std::string_view name) {
  return given(name) != nullptr;
}

std::optional<std::string> ObjectReader::any_text(std::string_view name, std::size_t longest) {
  const Json* value = given(name);
  if (value == nullptr) return {};
  if (!value->is_string()) {
    complain(name, "invalid", "a text is expected here");
    return {};
  }
  const auto& text = value->get_ref<const std::string&>();
  if (text.size() <= longest) return text;
  complain(name, "too_long", "the text has more than " + std::to_string(longest) + " bytes");
  return {};
}

std::optional<std::string> ObjectReader::text(std::string_view name, std::size_t longest) {
  auto text = any_text(name, longest);
  if (!text || !has_control_character(*text)) return text;
  complain(name, "invalid", "the text has control characters in it");
  return {};
}

std::optional<std::string> ObjectReader::foreign_text(std::string_view name, std::size_t longest) {
  auto text = any_text(name, longest);
  if (text) std::replace_if(text->begin(), text->end(), is_control_character, '?');
  return text;
}

std::optional<std::string> ObjectReader::output(std::string_view name, std::size_t longest) {
  auto text = any_text(name, longest);
  if (text) std::replace(text->begin(), text->end(), '\0', '?');
  return text;
}

std::optional<bool> ObjectReader::boolean(std::string_view name) {
  const Json* value = given(name);
  if (value == nullptr) return {};
  if (value->is_boolean()) return value->get<bool>();
  complain(name, "invalid", "true or false is expected here");
  return {};
}

std::optional<std::int64_t> ObjectReader::integer(std::string_view name, std::int64_t least,
                                                  std::int64_t most) {
  const Json* value = given(name);
  if (value == nullptr) return {};
  const bool whole = value->is_number_integer() &&
                     !(value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX);
  if (!whole) {
    complain(name, "invalid", "a whole number is expected here");
    return {};
  }
  const auto number = value->get<std::int64_t>();
  if (number >= least && number <= most) return number;
  complain(name, "out_of_range",
           std::to_string(number) + " is not between " + std::to_string(least) + " and " +
               std::to_string(most));
  return {};
}

std::optional<Duration> ObjectReader::duration(std::string_view name, Duration least,
                                               Duration most) {
  const auto written = text(name, 64);
  if (!written) return {};
  const auto parsed = parse_duration(*written);
  if (!parsed) {
    complain(name, "invalid", parsed.error().message, parsed.error().hint);
    return {};
  }
  if (*parsed >= least && *parsed <= most) return *parsed;
  complain(name, "out_of_range",
           "`" + *written + "` is not between " + format_duration(least) + " and " +
               format_duration(most));
  return {};
}

std::optional<Instant> ObjectReader::instant(std::string_view name) {
  const auto written = text(name, 64);
  if (!written) return {};
  const auto parsed = parse_instant(*written);
  if (parsed) return *parsed;
  complain(name, "invalid", parsed.error().message, parsed.error().hint);
  return {};
}

std::optional<std::vector<std::string>> ObjectReader::texts(std::string_view name, std::size_t most,
                                                            std::size_t longest) {
  const Json* list = array(name);
  if (list == nullptr) return {};
  if (list->size() > most) {
    complain(name, "too_long", "there are more than " + std::to_string(most) + " entries");
    return {};
  }
  const auto is_fine = [&](const Json& entry) {
    if (!entry.is_string()) return false;
    const auto& text = entry.get_ref<const std::string&>();
    return text.size() <= longest && text.find('\0') == std::string::npos;
  };
  if (std::all_of(list->begin(), list->end(), is_fine))
    return list->get<std::vector<std::string>>();
  complain(name, "invalid",
           "a list of texts is expected here, each of at most " + std::to_string(longest) +
               " bytes and without zero bytes");
  return {};
}

const Json* ObjectReader::object(std::string_view name) {
  const Json* value = given(name);
  if (value == nullptr || value->is_object()) return value;
  complain(name, "invalid", "an object is expected here", "write {…}");
  return nullptr;
}

const Json* ObjectReader::array(std::string_view name) {
  const Json* value = given(name);
  if (value == nullptr || value->is_array()) return value;
  complain(name, "invalid", "a list is expected here", "write […]");
  return nullptr;
}

void ObjectReader::refuse_others() {
  std::size_t told = 0;
  for (const auto& [name, value] : object_.items()) {
    if (std::ranges::find(known_, name) != known_.end()) continue;
    if (++told > kMostUnknown) return;  // that many are enough
    const std::string near = core::closest(name, known_);
    complain(name, "unknown_field", "there is no field `" + name + "` here",
             near.empty() ? "" : "did you mean `" + near + "`?");
  }
}

}  // namespace belfry::api
