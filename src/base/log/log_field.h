#pragma once

#include "base/time.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

namespace belfry {

// The name of an event or a field: a literal in snake_case, checked by the compiler, so that a name
// needs no escaping and no input ever becomes one.
class LogName {
 public:
  template <std::size_t N>
  // NOLINTNEXTLINE(google-explicit-constructor): log.info("node_started") is the point
  consteval LogName(const char (&literal)[N]) : text_(literal, N - 1) {
    const auto allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (text_.empty() || !std::all_of(text_.begin(), text_.end(), allowed)) {
      throw "a log name consists of a-z, 0-9 and _";
    }
    if (text_ == "ts" || text_ == "level" || text_ == "event") {
      throw "every log line has this key already";
    }
  }

  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// One key=value of a log line. Does not own its text: it lives only for the call that logs it.
class Field {
 public:
  using Value =
      std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool, Instant, Duration>;

  Field(LogName key, std::string_view value) : key_(key), value_(value) {}
  Field(LogName key, Instant value) : key_(key), value_(value) {}
  // Shown in seconds: lag=1.25s in text, "lag":1.25 in JSON.
  Field(LogName key, Duration value) : key_(key), value_(value) {}
  Field(LogName key, std::floating_point auto value)
      : key_(key), value_(static_cast<double>(value)) {}
  // Templates, so that a pointer is not taken for a bool nor an int for a double.
  Field(LogName key, std::same_as<bool> auto value) : key_(key), value_(value) {}
  Field(LogName key, std::signed_integral auto value)
      : key_(key), value_(static_cast<std::int64_t>(value)) {}
  Field(LogName key, std::unsigned_integral auto value)
    requires(!std::same_as<decltype(value), bool>)
      : key_(key), value_(static_cast<std::uint64_t>(value)) {}
  Field(LogName key, char value) = delete;  // a number or a text? say which

  std::string_view key() const { return key_.text(); }
  const Value& value() const { return value_; }

 private:
  LogName key_;
  Value value_;
};

}  // namespace belfry
