#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The vocabulary that sentences about schedules are made of. English only: sentences are put
// together from pieces, and their order is that of English.
namespace belfry::core {

// "a", "a and b", "a, b and c".
std::string in_list(const std::vector<std::string>& items, std::string_view conjunction = "and");

// "1st", "2nd", "11th", "23rd".
std::string ordinal(int n);

// "1 minute", "5 minutes".
std::string counted(std::int64_t n, std::string_view noun);

// "86,400"
std::string with_separators(std::int64_t n);

std::string_view weekday_name(int weekday);  // 0 = Sunday
std::string_view month_name(int month);      // 1 = January

std::string two_digits(int n);

// A time of day: "02:30", or "02:30:15" when the second is not 0.
std::string time_in_words(std::int64_t second_of_day);

// Of civil seconds (core/schedule/civil.h): the date, "Sun 28 Mar 2027", and the time of day
// as above.
std::string date_of(std::int64_t civil);
std::string time_of(std::int64_t civil);

// The positions of the bits that are set, ascending.
std::vector<int> values_of(std::uint64_t bits);

// From so many values on, a list of them is said as steps or as a range.
inline constexpr std::size_t kFewestForSteps = 5;   // "every 5th minute from 7 to 57"
inline constexpr std::size_t kFewestForARange = 3;  // "June to August"

// Values in equal steps: 8, 10, 12.
struct Progression {
  int first = 0;
  int last = 0;
  int step = 1;
};

// `values` (ascending) as a progression; nullopt for fewer than two, or when steps differ.
std::optional<Progression> progression_of(const std::vector<int>& values);

// "1, 5 to 9 and 20": a list of ascending values in which three or more in a row become a range.
std::string in_ranges(const std::vector<int>& values, const std::function<std::string(int)>& spell);

// What a step without a range picks, by example: "0 only", "0 and 45", "0, 25 and 50",
// "0, 7, … 56".
std::string by_example(const std::vector<int>& values,
                       const std::function<std::string(int)>& spell);

}  // namespace belfry::core
