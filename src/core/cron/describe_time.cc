#include "core/cron/describe_time.h"

#include "core/cron/words.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

// Two ways to say the same times must stay apart in words, because clock changes treat them
// differently: a field that begins with `*` is a rhythm ("every 2nd hour (00, 02, … 22)"), any
// other a choice of values ("every 2nd hour from 00 to 22").
namespace belfry::core {
namespace {

constexpr std::size_t kMostTimes = 6;   // listed as times of day, not by fields
constexpr std::size_t kMostValues = 6;  // listed one by one although steps were written

// A field of the time of day: its words, what was written and the values it has.
struct TimeField {
  std::string_view name;
  int count;
  std::string_view restart;  // where a rhythm starts again
  const FieldSyntax* syntax;
  std::uint64_t bits;

  bool is_everything() const { return std::popcount(bits) == count; }
  bool is_single() const { return std::has_single_bit(bits); }
  int first() const { return std::countr_zero(bits); }
  bool begins_with_star() const { return syntax->begins_with_star(); }
  // n for a field that is just `*/n` (1 for `*`), else 0.
  int rhythm() const {
    return syntax->elements.size() == 1 && begins_with_star() ? syntax->elements.front().step : 0;
  }
  std::string spell(int value) const {
    return count == 24 ? two_digits(value) : std::to_string(value);
  }
  auto speller() const {
    return [this](int value) { return spell(value); };
  }
};

std::uint64_t bits_of(const Element& element) {
  std::uint64_t bits = 0;
  for (int value = element.first; value <= element.last; value += element.step) {
    bits |= std::uint64_t{1} << value;
  }
  return bits;
}

// Values that follow each other without a hole.
bool is_one_stretch(const std::vector<int>& values) {
  return values.back() - values.front() + 1 == static_cast<int>(values.size());
}

// "minute 30", "minutes 0 and 30", "every minute from 10 to 20", "every 5th minute from 7 to 57".
std::string values_in_words(const TimeField& field, std::uint64_t bits) {
  const std::vector<int> values = values_of(bits);
  const std::string name(field.name);
  if (values.size() == 1) return name + " " + field.spell(values.front());
  if (const auto steps = progression_of(values)) {
    const std::string range =
        " from " + field.spell(steps->first) + " to " + field.spell(steps->last);
    if (steps->step == 1 && values.size() >= kFewestForARange) return "every " + name + range;
    if (steps->step > 1 && values.size() >= kFewestForSteps) {
      return "every " + ordinal(steps->step) + " " + name + range;
    }
  }
  return name + "s " + in_ranges(values, field.speller());
}

std::string element_in_words(const TimeField& field, const Element& element) {
  const std::uint64_t bits = bits_of(element);
  if (!element.star) return values_in_words(field, bits);
  if (element.step == 1) return "every " + std::string(field.name);
  return "every " + ordinal(element.step) + " " + std::string(field.name) + " (" +
         by_example(values_of(bits), field.speller()) + ")";
}

// Element by element, in the order written (it says whether the field begins with `*`), without
// those that add nothing.
std::string elements_in_words(const TimeField& field) {
  std::vector<std::string> items;
  std::uint64_t said = 0;
  for (const Element& element : field.syntax->elements) {
    if ((bits_of(element) & ~said) == 0) continue;
    said |= bits_of(element);
    items.push_back(element_in_words(field, element));
  }
  return in_list(items);
}

// The field as a noun: "minutes 0 and 30", "every 7th minute (0, 7, … 56)".
std::string noun(const TimeField& field) {
  if (field.begins_with_star()) return elements_in_words(field);
  const auto& elements = field.syntax->elements;
  const bool steps = std::any_of(elements.begin(), elements.end(),
                                 [](const Element& element) { return element.step > 1; });
  const std::vector<int> values = values_of(field.bits);
  const bool plain = !steps || elements.size() == 1 || values.size() <= kMostValues ||
                     progression_of(values).has_value();
  return plain ? values_in_words(field, field.bits) : elements_in_words(field);
}

// A rhythm as the head of a sentence: "Every minute", "Every 15 minutes", "Every 7 minutes from the
// full hour (0, 7, … 56)".
TimePhrase rhythm_phrase(const TimeField& field) {
  const int step = field.rhythm();
  const std::string name(field.name);
  if (step == 1) return {"Every " + name, true, false};
  TimePhrase phrase{"Every " + counted(step, name), true, false};
  const std::string restart(field.restart);
  if (step == field.count) {
    phrase.text += ", on " + restart;
    phrase.ends_in_a_clause = true;
  } else if (field.count % step != 0) {
    phrase.text +=
        " from " + restart + " (" + by_example(values_of(field.bits), field.speller()) + ")";
    phrase.ends_in_a_clause = true;
  }
  return phrase;
}

// The first and last moment of some hours, to the second where runs are that close.
std::string window_in_words(int first_hour, int last_hour, bool to_the_second) {
  const std::string first = to_the_second ? ":00:00" : ":00";
  const std::string last = to_the_second ? ":59:59" : ":59";
  return "from " + two_digits(first_hour) + first + " to " + two_digits(last_hour) + last;
}

// Restricts a phrase about every minute or second to the hours: "from 08:00 to 18:59", "during
// hours 01, 05 and 09". The phrase is a rhythm already, so it does not matter how they are written.
void add_window(const TimeField& hours, bool to_the_second, TimePhrase& phrase) {
  if (hours.is_everything()) return;
  const auto window = [to_the_second](int first, int last) {
    return window_in_words(first, last, to_the_second);
  };
  const std::vector<int> values = values_of(hours.bits);
  std::string when;
  if (is_one_stretch(values)) {
    when = window(values.front(), values.back());
  } else if (values.size() == 2) {
    when = window(values[0], values[0]) + " and " + window(values[1], values[1]);
  } else {
    when = "during " + values_in_words(hours, hours.bits);
  }
  phrase.text += (phrase.ends_in_a_clause ? ", " : " ") + when;
  phrase.every_hour = false;
  phrase.ends_in_a_clause = true;
}

// Ends "At minute 30" or "Every second during minute 30".
void add_hours(const TimeField& hours, bool rhythm_already, TimePhrase& phrase) {
  phrase.every_hour = hours.rhythm() == 1 || (rhythm_already && hours.is_everything());
  phrase.ends_in_a_clause = !phrase.every_hour;
  phrase.text += phrase.every_hour ? " of every hour" : " past " + noun(hours);
}

// "At 01:15, 01:45 and 13:15" when there are few.
std::optional<TimePhrase> few_times(const CronExpression& expression) {
  const auto count = static_cast<std::size_t>(std::popcount(expression.seconds)) *
                     static_cast<std::size_t>(std::popcount(expression.minutes)) *
                     static_cast<std::size_t>(std::popcount(expression.hours));
  if (expression.is_interval || count > kMostTimes) return std::nullopt;
  std::vector<std::string> times;
  for (const int hour : values_of(expression.hours)) {
    for (const int minute : values_of(expression.minutes)) {
      for (const int second : values_of(expression.seconds)) {
        times.push_back(two_digits(hour) + ":" + two_digits(minute));
        if (expression.seconds != 1) times.back() += ":" + two_digits(second);
      }
    }
  }
  return TimePhrase{"At " + in_list(times), false, false};
}

// One minute of many hours, the commonest kind: "Every hour from 08:30 to 18:30".
TimePhrase one_minute_phrase(int minute, const TimeField& hours) {
  const auto at = [minute](int hour) { return time_in_words(hour * 3600 + minute * 60); };
  const int step = hours.rhythm();
  if (step == 1 && minute == 0) return {"Every hour, on the hour", true, false};
  if (step == hours.count) return {"Every 24 hours, at " + at(0), false, true};
  if (step > 1) {
    std::string text = "Every " + counted(step, "hour") + " from " + at(0);
    if (hours.count % step != 0) text += " (" + by_example(values_of(hours.bits), at) + ")";
    return {text, false, true};
  }
  if (!hours.begins_with_star()) {
    if (const auto steps = progression_of(values_of(hours.bits))) {
      const std::string every = steps->step == 1 ? "hour" : counted(steps->step, "hour");
      return {"Every " + every + " from " + at(steps->first) + " to " + at(steps->last), false,
              true};
    }
  }
  TimePhrase phrase{"At minute " + std::to_string(minute), true, false};
  add_hours(hours, false, phrase);
  return phrase;
}

TimePhrase minute_phrase(const TimeField& minutes, const TimeField& hours) {
  if (minutes.rhythm() > 0) {
    TimePhrase phrase = rhythm_phrase(minutes);
    add_window(hours, false, phrase);
    return phrase;
  }
  if (minutes.is_single() && !minutes.begins_with_star()) {
    return one_minute_phrase(minutes.first(), hours);
  }
  TimePhrase phrase{"At " + noun(minutes), true, false};
  add_hours(hours, minutes.begins_with_star(), phrase);
  return phrase;
}

TimePhrase second_phrase(const TimeField& seconds, const TimeField& minutes,
                         const TimeField& hours) {
  const bool rhythm = seconds.rhythm() > 0;
  TimePhrase phrase =
      rhythm ? rhythm_phrase(seconds) : TimePhrase{"At " + noun(seconds), true, false};
  if (minutes.rhythm() == 1 || (rhythm && minutes.is_everything())) {
    if (!rhythm) phrase.text += " of every minute";
    add_window(hours, rhythm, phrase);
    return phrase;
  }
  const std::vector<int> values = values_of(minutes.bits);
  if (rhythm && is_one_stretch(values) && hours.is_single()) {
    const std::string hour = two_digits(hours.first());
    phrase.text += (phrase.ends_in_a_clause ? ", from " : " from ") + hour + ":" +
                   two_digits(values.front()) + ":00 to " + hour + ":" + two_digits(values.back()) +
                   ":59";
    return {phrase.text, false, true};
  }
  phrase.text += (rhythm ? " during " : " of ") + noun(minutes);
  add_hours(hours, rhythm || seconds.begins_with_star() || minutes.begins_with_star(), phrase);
  return phrase;
}

}  // namespace

TimePhrase describe_time(const CronSyntax& syntax, const CronExpression& expression) {
  if (const auto times = few_times(expression)) return *times;
  const TimeField seconds{"second", 60, "the full minute", &syntax[Field::kSecond],
                          expression.seconds};
  const TimeField minutes{"minute", 60, "the full hour", &syntax[Field::kMinute],
                          expression.minutes};
  const TimeField hours{"hour", 24, "midnight", &syntax[Field::kHour], expression.hours};
  const bool on_the_minute = expression.seconds == 1 && !seconds.begins_with_star();
  return on_the_minute ? minute_phrase(minutes, hours) : second_phrase(seconds, minutes, hours);
}

}  // namespace belfry::core
