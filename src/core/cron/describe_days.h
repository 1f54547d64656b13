#pragma once

#include "core/cron/describe_time.h"
#include "core/cron/expression.h"

#include <cstdint>
#include <string>

namespace belfry::core {

// The second half of a sentence: days, months and years, with the blank or comma that joins it to
// `time`. Empty when every day of every year is meant and that goes without saying.
std::string describe_days(const CronExpression& expression, const TimePhrase& time);

// What each of the day fields picks, without the month: "on the 1st and 15th", "on the last day";
// "on Mondays", "on the first Monday". For a field that is not open.
std::string days_of_month_in_words(const DayRule& days);
std::string weekdays_in_words(const DayRule& days);

// "Monday to Friday", "Monday, Wednesday and Friday"; the week begins on Monday, but "Saturday to
// Monday" stays in one piece. Not for an empty mask.
std::string weekday_names(std::uint8_t weekdays, std::string_view conjunction = "and",
                          std::string_view plural = "");

// "January, April and July".
std::string month_names(std::uint16_t months);

// "first" ... "fifth".
std::string_view nth_in_words(int n);

}  // namespace belfry::core
