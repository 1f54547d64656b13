#include "import/systemd/calendar_cron.h"

#include <array>
#include <string_view>

namespace belfry::importer {
namespace {

constexpr int kMonthDays = 31;

void append(std::string& list, const std::string& element) {
  if (!list.empty()) list += ',';
  list += element;
}

std::string field_from(const CalendarParts& parts, int low, int high) {
  if (parts.empty()) return "*";
  std::string field;
  for (const CalendarPart& part : parts) {
    const std::string first = std::to_string(part.first);
    const int last = part.last.value_or(part.step > 0 ? high : part.first);
    if (part.first == last || (part.step > 0 && part.step > last - part.first)) {
      append(field, first);
    } else if (part.first == low && last == high && parts.size() == 1) {
      field = part.step > 1 ? "*/" + std::to_string(part.step) : "*";
    } else {
      const std::string range = first + "-" + std::to_string(last);
      append(field, part.step > 1 ? range + "/" + std::to_string(part.step) : range);
    }
  }
  return field;
}

// The named days of a month, as bits 1-31; counted from its end with `~`.
std::uint32_t day_bits(const CalendarSpec& spec) {
  std::uint32_t bits = 0;
  for (const CalendarPart& part : spec.days) {
    const int step = part.step > 0 ? part.step : 1;
    if (spec.days_from_end) {
      // A step goes forward in time: towards the end of the month, which is day 1 here.
      const int from = part.last.value_or(part.first);
      const int to = part.last ? part.first : part.step > 0 ? 1 : part.first;
      for (int day = from; day >= to; day -= step) bits |= 1U << static_cast<unsigned>(day);
    } else {
      const int last = part.last.value_or(part.step > 0 ? kMonthDays : part.first);
      for (int day = part.first; day <= last; day += step) {
        bits |= 1U << static_cast<unsigned>(day);
      }
    }
  }
  return bits;
}

std::uint32_t bits_between(int first, int last) {
  std::uint32_t bits = 0;
  for (int day = first; day <= last; ++day) bits |= 1U << static_cast<unsigned>(day);
  return bits;
}

std::string days_from_end(std::uint32_t bits) {
  std::string field;
  for (int day = kMonthDays; day >= 1; --day) {
    if ((bits >> static_cast<unsigned>(day) & 1U) == 0) continue;
    append(field, day == 1 ? "L" : "L-" + std::to_string(day - 1));
  }
  return field;
}

constexpr std::array<std::string_view, 7> kWeekdays{"SUN", "MON", "TUE", "WED",
                                                    "THU", "FRI", "SAT"};

// Three or more in a row become a range; from Monday, as systemd counts.
std::string weekday_list(std::uint8_t weekdays) {
  const auto has = [&](std::size_t i) { return i < 7 && (weekdays >> ((i + 1) % 7) & 1U) != 0; };
  const auto name = [&](std::size_t i) { return std::string(kWeekdays[(i + 1) % 7]); };
  std::string field;
  for (std::size_t i = 0; i < 7; ++i) {
    if (!has(i)) continue;
    std::size_t end = i;
    while (has(end + 1)) ++end;
    if (end - i >= 2) {
      append(field, name(i) + "-" + name(end));
      i = end;
    } else {
      append(field, name(i));
    }
  }
  return field;
}

// `Mon *-*-01..07` is `MON#1`: whole weeks of the month can be said with the weekday.
std::string weekdays_of_weeks(const CalendarSpec& spec, std::uint32_t bits) {
  std::string field;
  for (unsigned day = 0; day < 7; ++day) {
    if ((spec.weekdays >> day & 1U) == 0) continue;
    if (spec.days_from_end) {
      if (bits != bits_between(1, 7)) return {};
      append(field, std::string(kWeekdays[day]) + "L");
      continue;
    }
    std::uint32_t left = bits;
    for (int week = 1; week <= 5; ++week) {
      const std::uint32_t days = bits_between(week * 7 - 6, std::min(week * 7, kMonthDays));
      if ((left & days) != days) continue;
      left &= ~days;
      append(field, std::string(kWeekdays[day]) + "#" + std::to_string(week));
    }
    if (left != 0) return {};
  }
  return field;
}

struct DayFields {
  std::string of_month = "*";
  std::string of_week = "*";
};

Result<DayFields> day_fields(const CalendarSpec& spec) {
  DayFields fields;
  const std::uint32_t bits = day_bits(spec);
  const bool any_day = spec.days.empty() || bits == bits_between(1, kMonthDays);
  if (any_day) {
    if (spec.weekdays != 0) fields.of_week = weekday_list(spec.weekdays);
  } else if (spec.weekdays == 0) {
    fields.of_month =
        spec.days_from_end ? days_from_end(bits) : field_from(spec.days, 1, kMonthDays);
  } else {
    fields.of_week = weekdays_of_weeks(spec, bits);
    if (fields.of_week.empty()) {
      const std::string others = weekday_list(static_cast<std::uint8_t>(~spec.weekdays & 0x7FU));
      return fail(Errc::kInvalid,
                  "OnCalendar: wants both the weekday and the day of the month, and a cron "
                  "expression runs on either; leave out the weekday, and give the job a calendar "
                  "with the rule `" +
                      others + "`");
    }
  }
  return fields;
}

}  // namespace

Result<std::string> cron_from(const CalendarSpec& spec) {
  BELFRY_TRY(days, day_fields(spec));
  std::string text = field_from(spec.minutes, 0, 59) + " " + field_from(spec.hours, 0, 23) + " " +
                     days.of_month + " " + field_from(spec.months, 1, 12) + " " + days.of_week;
  const std::string second = field_from(spec.seconds, 0, 59);
  if (second != "0" || !spec.years.empty()) text.insert(0, second + " ");
  if (!spec.years.empty()) text += " " + field_from(spec.years, 1970, 2199);
  return text;
}

}  // namespace belfry::importer
