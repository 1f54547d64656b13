#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace belfry::core {

enum class Dialect : std::uint8_t {
  kStandard,  // weekdays 0-7, 0 and 7 are Sunday; 5, 6 or 7 fields
  kQuartz,    // weekdays 1-7, 1 is Sunday; 6 or 7 fields, one day field open
};

// The fields in the order they are written; a shorter expression leaves out seconds and year.
enum class Field : std::uint8_t { kSecond, kMinute, kHour, kDayOfMonth, kMonth, kDayOfWeek, kYear };
inline constexpr std::size_t kFieldCount = 7;

struct FieldInfo {
  std::string_view name;   // as errors call it
  std::string_view value;  // "is not a ..."
  int low;
  int high;   // day-of-week: Saturday; 7 is read as another name of Sunday
  int count;  // how many values there are: the largest step that makes sense
  std::span<const std::string_view> names;  // names[i] stands for low + i
};

const FieldInfo& info_of(Field field);

}  // namespace belfry::core
