#include "core/cron/field.h"

#include "core/cron/expression.h"

namespace belfry::core {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                   "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::array<std::string_view, 7> kWeekdays{"SUN", "MON", "TUE", "WED",
                                                    "THU", "FRI", "SAT"};

const std::array<FieldInfo, kFieldCount> kFields{{
    {"second", "second", 0, 59, 60, {}},
    {"minute", "minute", 0, 59, 60, {}},
    {"hour", "hour", 0, 23, 24, {}},
    {"day-of-month", "day of the month", 1, 31, 31, {}},
    {"month", "month", 1, 12, 12, kMonths},
    {"day-of-week", "weekday", 0, 6, 7, kWeekdays},
    {"year", "year", kFirstYear, kLastYear, kLastYear - kFirstYear + 1, {}},
}};

}  // namespace

const FieldInfo& info_of(Field field) {
  return kFields[static_cast<std::size_t>(field)];
}

}  // namespace belfry::core
