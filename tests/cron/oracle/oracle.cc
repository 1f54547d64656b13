#include "tests/cron/oracle/oracle.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <limits>
#include <map>
#include <string_view>

namespace belfry::oracle {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kNeverBefore = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kNeverAfter = std::numeric_limits<std::int64_t>::max();

// A gap longer than this is missing time, not a clock change.
constexpr std::int64_t kLongestGap = 3 * kHour;

// No clock was ever set back by more than a day.
constexpr std::int64_t kLongestOverlap = 2 * kDay;

// 1969-12-31 and 2200-01-02: outside, every wall clock of the world shows a year of no schedule.
constexpr std::int64_t kBeginning = -kDay;
constexpr std::int64_t kEnd = 7258118400 + kDay;

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  std::string word;
  for (const char c : text) {
    if (c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      result.push_back(word);
      word.clear();
    }
  }
  if (!word.empty()) result.push_back(word);
  return result;
}

// Digits and nothing else. More than nine of them fit no field, whatever the number.
std::optional<int> number(std::string_view text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

int weekday_of(absl::CivilDay date) {
  // Abseil counts from Monday = 0.
  return (static_cast<int>(absl::GetWeekday(date)) + 1) % 7;
}

bool is_workday(absl::CivilDay date) {
  return weekday_of(date) >= 1 && weekday_of(date) <= 5;
}

int last_day_of_month(absl::CivilDay date) {
  return (absl::CivilDay(absl::CivilMonth(date) + 1) - 1).day();
}

// The workday of date's month that is closest to its n-th day: of all workdays, the one at the
// smallest distance. There are never two, as Friday and Monday are not equally far from a weekend
// day. 0 when the month has no n-th day.
int workday_nearest_to(int n, absl::CivilDay date) {
  const int last = last_day_of_month(date);
  if (n < 1 || n > last) return 0;
  int best = 0;
  for (int day = 1; day <= last; ++day) {
    if (!is_workday(absl::CivilDay(date.year(), date.month(), day))) continue;
    if (best == 0 || std::abs(day - n) < std::abs(best - n)) best = day;
  }
  return best;
}

int last_workday(absl::CivilDay date) {
  int day = last_day_of_month(date);
  while (!is_workday(absl::CivilDay(date.year(), date.month(), day))) --day;
  return day;
}

const std::map<std::string, int>& month_names() {
  static const std::map<std::string, int> kAll = {
      {"JAN", 1}, {"FEB", 2}, {"MAR", 3}, {"APR", 4},  {"MAY", 5},  {"JUN", 6},
      {"JUL", 7}, {"AUG", 8}, {"SEP", 9}, {"OCT", 10}, {"NOV", 11}, {"DEC", 12}};
  return kAll;
}

const std::map<std::string, int>& weekday_names() {
  static const std::map<std::string, int> kAll = {{"SUN", 0}, {"MON", 1}, {"TUE", 2}, {"WED", 3},
                                                  {"THU", 4}, {"FRI", 5}, {"SAT", 6}};
  return kAll;
}

const std::map<std::string, int>& no_names() {
  static const std::map<std::string, int> kAll;
  return kAll;
}

const std::map<std::string, std::string>& macros() {
  static const std::map<std::string, std::string> kAll = {
      {"@YEARLY", "0 0 1 1 *"}, {"@ANNUALLY", "0 0 1 1 *"}, {"@MONTHLY", "0 0 1 * *"},
      {"@WEEKLY", "0 0 * * 0"}, {"@DAILY", "0 0 * * *"},    {"@MIDNIGHT", "0 0 * * *"},
      {"@HOURLY", "0 * * * *"}};
  return kAll;
}

// Rule 8, word for word.
std::uint64_t hash_for(const std::string& key, int field_index) {
  std::uint64_t h = 0xCBF29CE484222325;
  for (const char c : key) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  std::uint64_t x = h + (static_cast<std::uint64_t>(field_index) + 1) * 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

// What rule 1 says about one field.
struct FieldLimits {
  int low;
  int high;       // the largest value that may be written
  int star_high;  // where `*` and `a/s` end: differs in day-of-week, where 7 is a second Sunday
  int hash_low;
  int hash_high;
  int hash_index;  // -1: no `H` in this field
  const std::map<std::string, int>* names;
  std::optional<int> sunday = std::nullopt;  // in day-of-week, the smallest number that means it

  int value_count() const { return star_high - low + 1; }
};

using Failure = tl::unexpected<std::string>;
using Values = tl::expected<std::set<int>, std::string>;
using Value = tl::expected<int, std::string>;

Failure refuse(std::string why) {
  return Failure(std::move(why));
}

Value parse_value(const std::string& text, const FieldLimits& limits) {
  if (const auto name = limits.names->find(text); name != limits.names->end()) return name->second;
  const std::optional<int> value = number(text);
  if (!value) return refuse("not a value: " + text);
  if (*value < limits.low || *value > limits.high) return refuse("out of range: " + text);
  return *value;
}

Value parse_step(const std::string& text, int largest) {
  const std::optional<int> step = number(text);
  if (!step || *step < 1) return refuse("bad step: " + text);
  if (*step > largest) return refuse("step too large: " + text);
  return *step;
}

std::set<int> every(int step, int from, int to) {
  std::set<int> values;
  for (int value = from; value <= to; value += step) values.insert(value);
  return values;
}

// `H`, `H(a-b)`, `H/s`, `H(a-b)/s`.
Values parse_hash(const std::string& element, const FieldLimits& limits, const std::string& key) {
  if (limits.hash_index < 0) return refuse("no H in this field: " + element);
  int low = limits.hash_low;
  int high = limits.hash_high;
  std::string rest = element.substr(1);
  if (rest.starts_with("(")) {
    const std::size_t close = rest.find(')');
    if (close == std::string::npos) return refuse("not a value: " + element);
    const std::vector<std::string> ends = split(std::string_view(rest).substr(1, close - 1), '-');
    if (ends.size() != 2) return refuse("not a range: " + element);
    const Value a = parse_value(ends[0], limits);
    const Value b = parse_value(ends[1], limits);
    if (!a) return refuse(a.error());
    if (!b) return refuse(b.error());
    if (*a > *b) return refuse("backward range: " + element);
    low = *a;
    high = *b;
    rest = rest.substr(close + 1);
  }
  const int count = high - low + 1;
  const std::uint64_t x = hash_for(key, limits.hash_index);
  if (rest.empty()) {
    return std::set<int>{low + static_cast<int>(x % static_cast<std::uint64_t>(count))};
  }
  if (!rest.starts_with("/")) return refuse("not a value: " + element);
  const Value step = parse_step(rest.substr(1), count);
  if (!step) return refuse(step.error());
  return every(*step, low + static_cast<int>(x % static_cast<std::uint64_t>(*step)), high);
}

// `*/s`, `n`, `a-b`, `a-b/s`, `a/s` and the forms of `H`. A bare `*` is the whole field, so the
// caller handles it before any list is split.
Values parse_element(const std::string& element, const FieldLimits& limits,
                     const std::string& key) {
  if (element.empty()) return refuse("empty list element");
  if (element.starts_with("H")) return parse_hash(element, limits, key);
  const std::vector<std::string> parts = split(element, '/');
  if (parts.size() > 2) return refuse("bad step: " + element);
  int step = 1;
  if (parts.size() == 2) {
    const Value parsed = parse_step(parts[1], limits.value_count());
    if (!parsed) return refuse(parsed.error());
    step = *parsed;
  }
  if (parts[0] == "*") {
    if (parts.size() == 1) return refuse("star inside a list");
    return every(step, limits.low, limits.star_high);
  }
  const std::vector<std::string> ends = split(parts[0], '-');
  if (ends.size() > 2) return refuse("not a range: " + element);
  const Value a = parse_value(ends[0], limits);
  if (!a) return refuse(a.error());
  if (ends.size() == 1) {
    if (parts.size() == 1) return std::set<int>{*a};
    // `7/s` in day-of-week starts past Saturday; 7 is Sunday, so it is read as `0/s`.
    return every(step, *a > limits.star_high ? limits.low : *a, limits.star_high);
  }
  const Value b = parse_value(ends[1], limits);
  if (!b) return refuse(b.error());
  if (*a <= *b) return every(step, *a, *b);
  // The one backward range: in day-of-week one that ends in `0` or `SUN` runs on to the Sunday
  // after Saturday. The text does not extend this to the `1` of the Quartz dialect.
  const bool ends_on_sunday = limits.sunday && *b == *limits.sunday;
  if (ends_on_sunday && (*b == 0 || ends[1] == "SUN")) {
    return every(step, *a, limits.star_high + 1);
  }
  return refuse("backward range: " + element);
}

const std::map<std::string, int>& quartz_weekday_names() {
  static const std::map<std::string, int> kAll = [] {
    std::map<std::string, int> shifted;
    for (const auto& [name, day] : weekday_names()) shifted[name] = day + 1;
    return shifted;
  }();
  return kAll;
}

Values parse_plain_field(const std::string& text, const FieldLimits& limits,
                         const std::string& key) {
  if (text == "*") return every(1, limits.low, limits.star_high);
  std::set<int> values;
  for (const std::string& element : split(text, ',')) {
    const Values parsed = parse_element(element, limits, key);
    if (!parsed) return parsed;
    values.insert(parsed->begin(), parsed->end());
  }
  return values;
}

const FieldLimits kSeconds = {0, 59, 59, 0, 59, 0, &no_names()};
const FieldLimits kMinutes = {0, 59, 59, 0, 59, 1, &no_names()};
const FieldLimits kHours = {0, 23, 23, 0, 23, 2, &no_names()};
const FieldLimits kDays = {1, 31, 31, 1, 28, 3, &no_names()};
const FieldLimits kMonths = {1, 12, 12, 1, 12, 4, &month_names()};
const FieldLimits kWeekdays = {0, 7, 6, 0, 6, 5, &weekday_names(), 0};
const FieldLimits kQuartzWeekdays = {1, 7, 7, 1, 7, 5, &quartz_weekday_names(), 1};
const FieldLimits kYears = {kFirstYear, kLastYear, kLastYear, 0, 0, -1, &no_names()};

bool is_open(const std::string& day_field) {
  return day_field == "*" || day_field == "?" || day_field == "*/1";
}

// `90s`, `1h30m`: whole numbers with h, m, s, each at most once and in that order.
std::optional<std::int64_t> parse_duration(std::string_view text) {
  std::int64_t total = 0;
  constexpr std::array<std::pair<char, std::int64_t>, 3> kUnits = {
      {{'h', kHour}, {'m', kMinute}, {'s', 1}}};
  for (const auto& [unit, seconds] : kUnits) {
    const std::size_t end = text.find_first_not_of("0123456789");
    if (end == std::string_view::npos || text[end] != unit) continue;
    const std::optional<int> count = number(text.substr(0, end));
    if (!count) return std::nullopt;
    total += *count * seconds;
    text.remove_prefix(end + 1);
  }
  if (!text.empty() || total < 1) return std::nullopt;
  return total;
}

}  // namespace

class Parser {
 public:
  Parser(const Question& question, Oracle& into) : question_(question), into_(into) {}

  // An empty string, or why the expression is refused.
  std::string parse() {
    for (const char c : question_.expression) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte < 0x20 && c != '\t') || byte == 0x7F) return "control character";
    }
    const std::vector<std::string> raw = words(question_.expression);
    if (raw.empty()) return "empty";
    if (!raw[0].starts_with("@")) {
      if (question_.quartz && raw.size() == 5) return "quartz needs 6 or 7 fields";
      return parse_fields(words(upper(question_.expression)));
    }
    if (upper(raw[0]) == "@EVERY") {
      if (raw.size() != 2) return "@every takes one interval";
      const std::optional<std::int64_t> interval = parse_duration(raw[1]);
      if (!interval) return "bad interval: " + raw[1];
      into_.every_ = *interval;
      into_.anchor_ = question_.anchor;
      return "";
    }
    const auto macro = macros().find(upper(raw[0]));
    if (macro == macros().end() || raw.size() != 1) return "unknown macro";
    return parse_fields(words(macro->second));
  }

 private:
  std::string parse_fields(std::vector<std::string> fields) {
    if (fields.size() < 5 || fields.size() > 7) return "needs 5, 6 or 7 fields";
    if (fields.size() == 5) fields.insert(fields.begin(), "0");
    if (fields.size() == 6) fields.emplace_back("*");
    const std::string& day_of_month = fields[3];
    const std::string& day_of_week = fields[5];

    into_.fixed_time_ =
        !(fields[0].starts_with("*") || fields[1].starts_with("*") || fields[2].starts_with("*"));
    into_.day_of_month_open_ = is_open(day_of_month);
    into_.day_of_week_open_ = is_open(day_of_week);
    if (question_.quartz && !into_.day_of_month_open_ && !into_.day_of_week_open_) {
      return "quartz needs one open day field";
    }

    plain_field(fields[0], kSeconds, into_.seconds_);
    plain_field(fields[1], kMinutes, into_.minutes_);
    plain_field(fields[2], kHours, into_.hours_);
    day_of_month_field(day_of_month);
    plain_field(fields[4], kMonths, into_.months_);
    day_of_week_field(day_of_week);
    plain_field(fields[6], kYears, into_.years_);
    return error_;
  }

  void plain_field(const std::string& text, const FieldLimits& limits, std::set<int>& into) {
    Values values = parse_plain_field(text, limits, question_.key);
    if (values) {
      into.merge(*values);
    } else {
      error_ = values.error();
    }
  }

  void day_of_month_field(const std::string& text) {
    if (is_open(text)) return;
    for (const std::string& element : split(text, ',')) {
      if (!special_day(element)) list_element(element, kDays, into_.days_);
    }
  }

  void day_of_week_field(const std::string& text) {
    if (is_open(text)) return;
    std::set<int> written;
    for (const std::string& element : split(text, ',')) {
      if (!special_weekday(element)) list_element(element, weekday_limits(), written);
    }
    for (const int value : written) into_.weekdays_.insert(weekday_from_written(value));
  }

  void list_element(const std::string& element, const FieldLimits& limits, std::set<int>& into) {
    Values values = parse_element(element, limits, question_.key);
    if (values) {
      into.merge(*values);
    } else {
      error_ = values.error();
    }
  }

  // True when the element is one of `L`, `LW`, `L-n`, `L-nW`, `nW`, right or wrong.
  bool special_day(std::string element) {
    using Kind = Oracle::SpecialDay::Kind;
    const bool from_end = element.starts_with("L");
    const bool weekday = element.ends_with("W");
    if (!from_end && !weekday) return false;
    const std::string whole = element;
    if (weekday) element.pop_back();
    if (element == "L") {
      into_.special_days_.push_back({weekday ? Kind::kLastWeekday : Kind::kFromEnd, 0});
    } else if (element.starts_with("L-")) {
      const std::optional<int> n = number(element.substr(2));
      if (!n || *n < 1 || *n > 30) error_ = "L-n needs n of 1 to 30: " + whole;
      into_.special_days_.push_back(
          {weekday ? Kind::kWeekdayNearFromEnd : Kind::kFromEnd, n.value_or(0)});
    } else {
      const std::optional<int> n = number(element);
      if (!weekday || !n || *n < 1 || *n > 31) error_ = "not a value: " + whole;
      into_.special_days_.push_back({Kind::kWeekdayNear, n.value_or(0)});
    }
    return true;
  }

  // True when the element is `dL` or `d#k`, right or wrong.
  bool special_weekday(const std::string& element) {
    std::string day;
    int k = 0;
    if (const std::size_t hash = element.find('#'); hash != std::string::npos) {
      day = element.substr(0, hash);
      k = number(element.substr(hash + 1)).value_or(0);
      if (k < 1 || k > 5) error_ = "the nth weekday must be 1 to 5: " + element;
    } else if (element.ends_with("L")) {
      day = element.substr(0, element.size() - 1);
    } else {
      return false;
    }
    const Value value = parse_value(day, weekday_limits());
    if (value) {
      into_.special_weekdays_.push_back({weekday_from_written(*value), k});
    } else {
      error_ = value.error();
    }
    return true;
  }

  const FieldLimits& weekday_limits() const {
    return question_.quartz ? kQuartzWeekdays : kWeekdays;
  }

  int weekday_from_written(int value) const { return (question_.quartz ? value - 1 : value) % 7; }

  const Question& question_;
  Oracle& into_;
  std::string error_;
};

tl::expected<Oracle, std::string> Oracle::make(const Question& question) {
  Oracle oracle;
  if (!absl::LoadTimeZone(question.zone, &oracle.zone_)) return refuse("no zone " + question.zone);
  oracle.gap_skip_ = question.gap_skip;
  oracle.overlap_both_ = question.overlap_both;
  const std::string error = Parser(question, oracle).parse();
  if (!error.empty()) return refuse(error);
  return oracle;
}

// --- The fields ---------------------------------------------------------------------------------

bool Oracle::matches_day_of_month(absl::CivilDay date) const {
  if (days_.contains(date.day())) return true;
  const int last = last_day_of_month(date);
  for (const SpecialDay& special : special_days_) {
    int day = 0;
    switch (special.kind) {
      case SpecialDay::Kind::kFromEnd: day = last - special.n; break;
      case SpecialDay::Kind::kWeekdayNear: day = workday_nearest_to(special.n, date); break;
      case SpecialDay::Kind::kWeekdayNearFromEnd:
        day = workday_nearest_to(last - special.n, date);
        break;
      case SpecialDay::Kind::kLastWeekday: day = last_workday(date); break;
    }
    if (day == date.day()) return true;
  }
  return false;
}

bool Oracle::matches_day_of_week(absl::CivilDay date) const {
  const int weekday = weekday_of(date);
  if (weekdays_.contains(weekday)) return true;
  const bool is_last = (date + 7).month() != date.month();
  const int nth = (date.day() - 1) / 7 + 1;
  for (const SpecialWeekday& special : special_weekdays_) {
    if (special.weekday != weekday) continue;
    if (special.k == 0 ? is_last : special.k == nth) return true;
  }
  return false;
}

bool Oracle::matches_date(absl::CivilDay date) const {
  if (date.year() < kFirstYear || date.year() > kLastYear) return false;
  if (!years_.contains(static_cast<int>(date.year()))) return false;
  if (!months_.contains(date.month())) return false;
  if (day_of_month_open_ && day_of_week_open_) return true;
  if (day_of_month_open_) return matches_day_of_week(date);
  if (day_of_week_open_) return matches_day_of_month(date);
  return matches_day_of_month(date) || matches_day_of_week(date);
}

Oracle::Mismatch Oracle::first_mismatch(absl::CivilSecond wall) const {
  if (!matches_date(absl::CivilDay(wall))) return Mismatch::kDate;
  if (!hours_.contains(wall.hour())) return Mismatch::kHour;
  if (!minutes_.contains(wall.minute())) return Mismatch::kMinute;
  if (!seconds_.contains(wall.second())) return Mismatch::kSecond;
  return Mismatch::kNone;
}

bool Oracle::matches_wall(absl::CivilSecond wall) const {
  return first_mismatch(wall) == Mismatch::kNone;
}

std::int64_t Oracle::dead_time_after(absl::CivilSecond wall) const {
  const std::int64_t into_minute = wall.second();
  const std::int64_t into_hour = wall.minute() * kMinute + into_minute;
  const std::int64_t into_day = wall.hour() * kHour + into_hour;
  switch (first_mismatch(wall)) {
    case Mismatch::kDate: return kDay - into_day;
    case Mismatch::kHour: return kHour - into_hour;
    case Mismatch::kMinute: return kMinute - into_minute;
    case Mismatch::kSecond: return 1;
    case Mismatch::kNone: break;
  }
  return 0;
}

std::int64_t Oracle::dead_time_before(absl::CivilSecond wall) const {
  const std::int64_t into_minute = wall.second();
  const std::int64_t into_hour = wall.minute() * kMinute + into_minute;
  const std::int64_t into_day = wall.hour() * kHour + into_hour;
  switch (first_mismatch(wall)) {
    case Mismatch::kDate: return into_day + 1;
    case Mismatch::kHour: return into_hour + 1;
    case Mismatch::kMinute: return into_minute + 1;
    case Mismatch::kSecond: return 1;
    case Mismatch::kNone: break;
  }
  return 0;
}

// --- The clock ----------------------------------------------------------------------------------

absl::CivilSecond Oracle::wall_at(std::int64_t instant) const {
  return zone_.At(absl::FromUnixSeconds(instant)).cs;
}

std::int64_t Oracle::offset_at(std::int64_t instant) const {
  return zone_.At(absl::FromUnixSeconds(instant)).offset;
}

std::int64_t Oracle::first_change_after(std::int64_t instant) const {
  absl::TimeZone::CivilTransition change;
  if (!zone_.NextTransition(absl::FromUnixSeconds(instant), &change)) return kNeverAfter;
  // Abseil gives the wall clock at the change, not its instant. `from` is still read with the
  // offset in force now; asking the zone for the instant of `to` could meet a repeated time.
  return (change.from - absl::CivilSecond(1970, 1, 1)) - offset_at(instant);
}

std::int64_t Oracle::last_change_at_or_before(std::int64_t instant) const {
  absl::TimeZone::CivilTransition change;
  if (!zone_.PrevTransition(absl::FromUnixSeconds(instant + 1), &change)) return kNeverBefore;
  return (change.to - absl::CivilSecond(1970, 1, 1)) - offset_at(instant);
}

bool Oracle::fires_for_a_gap_at(std::int64_t instant) const {
  if (!fixed_time_ || gap_skip_) return false;
  const std::int64_t jump = offset_at(instant) - offset_at(instant - 1);
  if (jump <= 0 || jump > kLongestGap) return false;
  const absl::CivilSecond after_gap = wall_at(instant);
  for (absl::CivilSecond missing = after_gap - jump; missing < after_gap;) {
    const std::int64_t dead_time = dead_time_after(missing);
    if (dead_time == 0) return true;
    missing += dead_time;
  }
  return false;
}

bool Oracle::is_silenced_second_pass(std::int64_t instant) const {
  if (!fixed_time_ || overlap_both_) return false;
  // Was there an earlier instant with the same reading? It can only have had the offset that was in
  // force before one of the recent changes.
  const absl::CivilSecond wall = wall_at(instant);
  std::int64_t change = last_change_at_or_before(instant);
  while (change > instant - kLongestOverlap) {
    const std::int64_t earlier = (wall - absl::CivilSecond(1970, 1, 1)) - offset_at(change - 1);
    if (earlier < instant && wall_at(earlier) == wall) return true;
    change = last_change_at_or_before(change - 1);
  }
  return false;
}

// --- The search ---------------------------------------------------------------------------------

bool Oracle::fires_at(std::int64_t instant) const {
  if (fires_for_a_gap_at(instant)) return true;
  return matches_wall(wall_at(instant)) && !is_silenced_second_pass(instant);
}

std::optional<std::int64_t> Oracle::next(std::int64_t after, std::int64_t give_up_after) const {
  const std::int64_t last = after + give_up_after;
  if (every_ > 0) {
    std::int64_t instant = anchor_ + every_;
    if (after >= instant) instant += ((after - instant) / every_ + 1) * every_;
    return instant <= last ? std::optional(instant) : std::nullopt;
  }
  std::int64_t t = std::max(after + 1, kBeginning);
  while (t <= std::min(last, kEnd)) {
    // Between two changes the wall clock runs evenly, so dead time may be skipped; a change is
    // always looked at itself, and only there can a gap end.
    const std::int64_t change = first_change_after(t);
    if (fires_for_a_gap_at(t)) return t;
    while (t < change && t <= std::min(last, kEnd)) {
      const std::int64_t dead_time = dead_time_after(wall_at(t));
      if (dead_time == 0 && !is_silenced_second_pass(t)) return t;
      t += std::max<std::int64_t>(dead_time, 1);
    }
    t = std::min(t, change);
  }
  return std::nullopt;
}

std::optional<std::int64_t> Oracle::previous(std::int64_t before,
                                             std::int64_t give_up_after) const {
  const std::int64_t first = before - give_up_after;
  if (every_ > 0) {
    if (before <= anchor_ + every_) return std::nullopt;
    const std::int64_t instant = anchor_ + (before - 1 - anchor_) / every_ * every_;
    return instant >= first ? std::optional(instant) : std::nullopt;
  }
  std::int64_t t = std::min(before - 1, kEnd);
  while (t >= std::max(first, kBeginning)) {
    const std::int64_t change = last_change_at_or_before(t);
    while (t >= change && t >= std::max(first, kBeginning)) {
      const std::int64_t dead_time = dead_time_before(wall_at(t));
      if (dead_time == 0 && !is_silenced_second_pass(t)) return t;
      t -= std::max<std::int64_t>(dead_time, 1);
    }
    if (change < std::max(first, kBeginning)) return std::nullopt;
    if (fires_for_a_gap_at(change)) return change;
    t = change - 1;
  }
  return std::nullopt;
}

}  // namespace belfry::oracle
