#include "base/json.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace belfry {
namespace {

// In one object: finding a name compares it with all others.
constexpr std::size_t kMostNames = 10'000;

std::string escaped(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

// Takes the parser's events and builds the value, or says why not.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(const JsonLimits& limits) : limits_(limits) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string& /*text*/) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*elements*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*elements*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    std::set<std::string, std::less<>>& names = keys_.back();
    if (names.size() == kMostNames) {
      return refuse("an object has more than 10,000 names", pointer());
    }
    if (!names.insert(name).second) {
      return refuse("the name `" + name + "` is given twice", pointer() + "/" + escaped(name));
    }
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& why) override {
    const bool range = why.id == 406;  // the library's number for a number out of range
    return refuse(range ? "a number is too large"
                        : "this is not JSON, from byte " + std::to_string(position) + " on",
                  pointer());
  }

  Json take() { return std::move(root_); }
  Error take_error() { return std::move(error_); }

 private:
  bool refuse(std::string message, std::string pointer) {
    error_ = {.code = Errc::kInvalid, .message = std::move(message), .field = std::move(pointer)};
    return false;
  }

  Json* place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    // Not by name: that would compare it with every name before it.
    auto& fields = parent.get_ref<Json::object_t&>();
    fields.emplace_back(key_, std::move(value));
    return &fields.back().second;
  }
  bool add(Json value) {
    if (!count()) return false;
    place(std::move(value));
    return true;
  }
  bool count() {
    if (values_++ < limits_.values) return true;
    return refuse("there are more than " + std::to_string(limits_.values) + " values", pointer());
  }
  bool open(Json value) {
    if (!count()) return false;
    if (open_.size() >= limits_.depth) {
      return refuse(
          "arrays and objects are nested more than " + std::to_string(limits_.depth) + " deep",
          pointer());
    }
    Json* opened = place(std::move(value));
    names_.push_back(open_.empty() ? "" : "/" + here());
    open_.push_back(opened);
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    names_.pop_back();
    return true;
  }

  // The index or name, in its parent, of the value just placed.
  std::string here() const {
    const Json& parent = *open_.back();
    return parent.is_array() ? std::to_string(parent.size() - 1) : escaped(key_);
  }
  std::string pointer() const {
    std::string result;
    for (const std::string& name : names_) result += name;
    return result;
  }

  const JsonLimits limits_;
  std::size_t values_ = 0;
  Json root_;
  std::vector<Json*> open_;  // from the root inwards; a parent never moves while a child is open
  std::vector<std::set<std::string, std::less<>>> keys_;  // names seen in each open value
  std::vector<std::string> names_;
  std::string key_;
  Error error_{.code = Errc::kInvalid, .message = "this is not JSON"};
};

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Whether a value of base/verbatim.h is in there: the library would write it as a list of bytes.
bool has_verbatim(const Json& value) {
  if (!value.is_structured()) return value.is_binary();
  for (const Json& member : value) {
    if (has_verbatim(member)) return true;
  }
  return false;
}

void append(const Json& value, std::string& out) {
  if (value.is_binary()) {
    const auto& text = value.get_binary();
    out.append(text.begin(), text.end());
    return;
  }
  if (!has_verbatim(value)) {
    out += dumped(value);
    return;
  }
  const bool is_object = value.is_object();
  char before = is_object ? '{' : '[';
  for (const auto& [name, member] : value.items()) {
    out += std::exchange(before, ',');
    if (is_object) out += dumped(Json(name)) + ":";
    append(member, out);
  }
  out += is_object ? '}' : ']';
}

}  // namespace

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  Builder builder(limits);
  if (!Json::sax_parse(text, &builder)) return fail(builder.take_error());
  return builder.take();
}

std::string write_json(const Json& value) {
  std::string out;
  append(value, out);
  return out;
}

}  // namespace belfry
