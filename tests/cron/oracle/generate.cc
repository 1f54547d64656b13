#include "tests/cron/oracle/generate.h"

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace belfry::oracle {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kYear = 366 * kDay;

// Every wall clock in the world shows 1970 here, so nobody has to say what came before.
constexpr std::int64_t kEarliest = kDay;
constexpr std::int64_t kLatestChange = 4102444800;   // 2100-01-01
constexpr std::int64_t kLatestInstant = 5680281600;  // 2150-01-01

constexpr std::array<const char*, 12> kMonthNames = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                     "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::array<const char*, 7> kWeekdayNames = {"SUN", "MON", "TUE", "WED",
                                                      "THU", "FRI", "SAT"};
constexpr std::array<const char*, 7> kMacros = {"@yearly", "@annually", "@monthly", "@weekly",
                                                "@daily",  "@midnight", "@hourly"};

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

bool is_zone_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> magic = {};
  file.read(magic.data(), magic.size());
  return file && std::string_view(magic.data(), magic.size()) == "TZif";
}

}  // namespace

std::string describe(const Case& drawn) {
  const Question& question = drawn.question;
  std::string text = "`" + question.expression + "` in " + question.zone + " at " +
                     absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixSeconds(drawn.instant),
                                      absl::UTCTimeZone()) +
                     " (" + std::to_string(drawn.instant) + ")";
  if (question.quartz) text += " quartz";
  if (question.gap_skip) text += " gap_skip";
  if (question.overlap_both) text += " overlap_both";
  if (!question.key.empty()) text += " key=" + question.key;
  return text;
}

Generator::Generator(std::uint64_t seed, const std::string& zone_directory) : random_(seed) {
  load_zones(zone_directory);
  load_changes();
}

int Generator::between(int low, int high) {
  return static_cast<int>(between64(low, high));
}

std::int64_t Generator::between64(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
}

void Generator::load_zones(const std::string& directory) {
  // Not zones of their own: copies under other rules, and names for whatever this machine is
  // set to.
  const std::array<std::string, 5> excluded = {"posix", "right", "localtime", "posixrules",
                                               "Factory"};
  for (std::filesystem::recursive_directory_iterator it(directory), end; it != end; ++it) {
    if (std::ranges::find(excluded, it->path().filename().string()) != excluded.end()) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file() && is_zone_file(it->path())) {
      zones_.push_back(std::filesystem::relative(it->path(), directory).string());
    }
  }
  std::ranges::sort(zones_);
  if (zones_.empty()) throw std::runtime_error("no time zones under " + directory);
}

void Generator::load_changes() {
  const absl::CivilSecond epoch(1970, 1, 1);
  for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
    absl::TimeZone loaded;
    if (!absl::LoadTimeZone(zones_[zone], &loaded)) continue;
    std::int64_t t = kEarliest;
    absl::TimeZone::CivilTransition wall;
    while (loaded.NextTransition(absl::FromUnixSeconds(t), &wall)) {
      const std::int64_t offset_before = loaded.At(absl::FromUnixSeconds(t)).offset;
      t = (wall.from - epoch) - offset_before;
      if (t >= kLatestChange) break;
      const std::int64_t jump = wall.to - wall.from;
      if (jump == 0) continue;
      changes_.push_back({zone, t, offset_before, offset_before + jump});
      if (jump != kHour && jump != -kHour) odd_changes_.push_back(changes_.back());
    }
  }
}

Case Generator::draw() {
  Case drawn;
  Question& question = drawn.question;
  drawn.near_change = chance(50);
  absl::CivilSecond wall;
  if (drawn.near_change) {
    const Change& change = chance(20) ? pick(odd_changes_) : pick(changes_);
    question.zone = zones_[change.zone];
    const std::int64_t jump = change.offset_after - change.offset_before;
    switch (below(8)) {
      case 0:  // at the change and right beside it
        drawn.instant = change.instant + between(-2, 2);
        break;
      case 1:  // on the far side of an overlap, or as long before a gap
        drawn.instant = change.instant - jump + between(-1, 1);
        break;
      case 2: drawn.instant = change.instant + between64(-2 * kDay, 2 * kDay); break;
      default: drawn.instant = change.instant + between64(-6 * kHour, 6 * kHour);
    }
    // Mostly a reading that is missing or repeated, sometimes one close by.
    const std::int64_t low = change.instant + std::min(change.offset_before, change.offset_after);
    const std::int64_t high = change.instant + std::max(change.offset_before, change.offset_after);
    const std::int64_t margin = chance(70) ? 0 : kHour;
    wall = absl::CivilSecond(1970, 1, 1) + between64(low - margin, high - 1 + margin);
  } else {
    question.zone = pick(zones_);
    drawn.instant = between64(kEarliest, kLatestInstant);
    wall = absl::CivilSecond(1970, 1, 1) + (drawn.instant + between64(-kDay, 90 * kDay));
  }
  drawn.instant = std::max(drawn.instant, kEarliest);
  const Target target = {
      .year = static_cast<int>(wall.year()),
      .month = wall.month(),
      .day = wall.day(),
      .weekday = (static_cast<int>(absl::GetWeekday(absl::CivilDay(wall))) + 1) % 7,
      .hour = wall.hour(),
      .minute = wall.minute(),
      .second = wall.second(),
      .near_change = drawn.near_change,
      .aimed = drawn.near_change && chance(50)};

  question.quartz = chance(15);
  question.gap_skip = chance(15);
  question.overlap_both = chance(15);
  if (chance(3)) question.key = "job-" + std::to_string(below(1'000'000));
  question.expression = expression(target, question);

  drawn.forward_horizon = chance(90) ? 2 * kYear : 9 * kYear;
  drawn.backward_horizon = std::min(drawn.forward_horizon, drawn.instant - kEarliest);
  return drawn;
}

Case Generator::draw_garbled() {
  Case drawn = draw();
  std::string& text = drawn.question.expression;
  const std::string_view alphabet = "0123456789,,--//**??LLWW##  @HSUNMON()x.+\t";
  for (int edits = between(1, 3); edits > 0; --edits) {
    const std::size_t at = below(text.size());
    switch (below(4)) {
      case 0: text.erase(at, 1); break;
      case 1: text.insert(at, 1, pick(alphabet)); break;
      case 2: text[at] = pick(alphabet); break;
      default: {
        const std::size_t other = below(text.size());
        std::swap(text[at], text[other]);
      }
    }
    if (text.empty()) text = " ";
  }
  return drawn;
}

// --- The expression -----------------------------------------------------------------------------

// Random case: names, L and W mean the same in either.
std::string Generator::spelled(std::string text) {
  if (chance(70)) return text;
  for (char& c : text) {
    if (chance(50)) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

std::string Generator::written(int value) {
  return chance(4) ? "0" + std::to_string(value) : std::to_string(value);
}

std::string Generator::open_field() {
  switch (below(10)) {
    case 0: return "*/1";
    case 1:
    case 2: return "?";
    default: return "*";
  }
}

// A numeric field in any of its forms, which often contains `wanted`.
std::string Generator::plain_field(int low, int high, int wanted, int star_percent,
                                   const Target& target) {
  if (chance(target.aimed ? star_percent / 8 : star_percent)) return "*";
  const int count = high - low + 1;
  const auto value = [&] { return chance(target.aimed ? 90 : 60) ? wanted : between(low, high); };
  const auto element = [&]() -> std::string {
    switch (below(8)) {
      case 0: {
        const int a = std::max(low, wanted - between(0, count / 4));
        return written(a) + "-" + written(between(a, high));
      }
      case 1: {
        int a = value();
        int b = between(low, high);
        if (a > b) std::swap(a, b);
        return written(a) + "-" + written(b) + "/" + written(between(1, count));
      }
      case 2: return written(value()) + "/" + written(between(1, count));
      case 3:
        if (target.aimed && chance(80)) return written(wanted);
        // Small steps, as people write them; the first element decides about interval jobs.
        return "*/" + written(chance(80) ? between(1, std::max(1, count / 3)) : between(1, count));
      default: return written(value());
    }
  };
  std::vector<std::string> elements = {element()};
  while (elements.size() < 5 && chance(25)) elements.push_back(element());
  return joined(elements, ",");
}

std::string Generator::hash_field(int low, int high) {
  const int a = between(low, high);
  const int b = between(a, high);
  const std::string range = "(" + std::to_string(a) + "-" + std::to_string(b) + ")";
  switch (below(5)) {
    case 0: return "H" + range;
    case 1: return "H/" + std::to_string(between(1, high - low + 1));
    case 2: return "H" + range + "/" + std::to_string(between(1, b - a + 1));
    case 3: return "H," + std::to_string(between(low, high));
    default: return "H";
  }
}

std::string Generator::hour_field(const Target& target) {
  constexpr std::array<int, 7> kSmallHours = {0, 1, 2, 3, 4, 22, 23};
  const bool night = target.near_change && !target.aimed && chance(30);
  return plain_field(0, 23, night ? pick(kSmallHours) : target.hour, target.near_change ? 15 : 30,
                     target);
}

std::string Generator::day_of_month_field(const Target& target) {
  if (leaves_day_open(target)) return open_field();
  const auto special = [&]() -> std::string {
    switch (below(6)) {
      case 0: return "L";
      case 1: return "L-" + written(chance(80) ? between(1, 6) : between(1, 30));
      case 2: return "LW";
      case 3: return "L-" + written(chance(80) ? between(1, 6) : between(1, 30)) + "W";
      default: return written(chance(50) ? between(1, 31) : target.day) + "W";
    }
  };
  if (chance(55)) return plain_field(1, 31, target.day, 0, target);
  std::vector<std::string> elements = {spelled(special())};
  while (chance(30)) {
    elements.push_back(chance(50) ? spelled(special()) : plain_field(1, 31, target.day, 0, target));
  }
  return joined(elements, ",");
}

std::string Generator::month_field(const Target& target) {
  if (chance(75)) return "*";
  if (chance(60)) return plain_field(1, 12, target.month, 0, target);
  const auto name = [&](int month) {
    return spelled(kMonthNames[static_cast<std::size_t>(month - 1)]);
  };
  switch (below(4)) {
    case 0: return name(between(1, target.month)) + "-" + name(between(target.month, 12));
    case 1:
      return name(between(1, target.month)) + "-" + name(between(target.month, 12)) + "/" +
             written(between(1, 12));
    case 2: return name(target.month) + "," + name(between(1, 12)) + "," + written(between(1, 12));
    default: return name(target.month);
  }
}

// A weekday as this dialect may write it, by number or name.
std::string Generator::weekday_text(int weekday, bool quartz) {
  if (chance(40)) return spelled(kWeekdayNames[static_cast<std::size_t>(weekday)]);
  if (quartz) return written(weekday + 1);
  return written(weekday == 0 && chance(50) ? 7 : weekday);
}

std::string Generator::day_of_week_field(const Target& target, bool quartz) {
  if (leaves_day_open(target)) return open_field();
  const auto day = [&] { return chance(50) ? target.weekday : between(0, 6); };
  const auto text = [&](int weekday) { return weekday_text(weekday, quartz); };
  // Where a range or a step starts, Sunday is 0: `7-2` is refused.
  const auto start = [&](int weekday) {
    if (weekday > 0 || quartz) return text(weekday);
    return chance(40) ? spelled("SUN") : written(0);
  };
  const auto element = [&]() -> std::string {
    switch (below(9)) {
      case 0: {
        const int a = between(0, 6);
        // A range from Sunday to Sunday is settled by a row, not by the text, so it has one form.
        return a == 0 ? start(0) + "-" + text(between(1, 6)) : start(a) + "-" + text(between(a, 6));
      }
      case 1: {
        const int a = between(1, 6);
        const std::string to = !quartz && chance(60) ? (chance(50) ? "0" : "7") : spelled("SUN");
        return start(a) + "-" + to + (chance(30) ? "/" + written(between(1, 7)) : "");
      }
      case 2: {
        const int a = between(0, 5);
        return start(a) + "-" + text(between(a + 1, 6)) + "/" + written(between(1, 7));
      }
      case 3: return start(day()) + "/" + written(between(1, 7));
      case 4: return "*/" + written(between(2, 7));
      case 5: return text(day()) + spelled("L");
      case 6: return text(day()) + "#" + written(between(1, 5));
      default: return text(day());
    }
  };
  if (!quartz && chance(4)) return "0-7";
  std::vector<std::string> elements = {element()};
  while (elements.size() < 4 && chance(30)) elements.push_back(element());
  return joined(elements, ",");
}

std::string Generator::year_field(const Target& target) {
  const auto near = [&](int spread) {
    return std::clamp(target.year + between(-spread, spread), kFirstYear, kLastYear);
  };
  switch (below(8)) {
    case 0: return written(near(1));
    case 1: return written(near(1)) + "," + written(near(3)) + "," + written(near(6));
    case 2: {
      const int a = near(4);
      return written(a) + "-" + written(std::min(kLastYear, a + between(0, 8)));
    }
    case 3: {
      const int a = near(4);
      return written(a) + "-" + written(std::min(kLastYear, a + between(0, 20))) + "/" +
             written(between(1, 4));
    }
    case 4: return written(near(5)) + "/" + written(between(1, 5));
    case 5: return "*/" + written(between(1, 4));
    default: return "*";
  }
}

std::string Generator::expression(const Target& target, const Question& question) {
  if (!question.quartz && question.key.empty() && chance(3)) return spelled(pick(kMacros));

  std::vector<std::string> fields = {
      plain_field(0, 59, target.minute, target.near_change ? 15 : 25, target),
      hour_field(target),
      day_of_month_field(target),
      month_field(target),
      day_of_week_field(target, question.quartz),
  };
  if (question.quartz) fields[chance(50) ? 2 : 4] = open_field();
  if (!question.key.empty()) {
    bool hashed = false;
    while (!hashed) {
      constexpr std::array<std::pair<int, int>, 5> kLimits = {
          {{0, 59}, {0, 23}, {1, 28}, {1, 12}, {0, 6}}};
      for (std::size_t i = 0; i < fields.size(); ++i) {
        // Quartz: which numbers `H` draws in day-of-week is not settled, nor may both days be set.
        if (question.quartz && (i == 2 || i == 4)) continue;
        if (!chance(i < 2 ? 60 : 15)) continue;
        fields[i] = hash_field(kLimits[i].first, kLimits[i].second);
        hashed = true;
      }
    }
  }
  const int kind = question.quartz ? between(6, 7) : pick(std::array<int, 4>{5, 5, 6, 7});
  if (kind >= 6) {
    std::string seconds = "0";
    if (!question.key.empty() && chance(30)) {
      seconds = hash_field(0, 59);
    } else if (chance(60)) {
      seconds = plain_field(0, 59, target.second, target.near_change ? 10 : 20, target);
    }
    fields.insert(fields.begin(), seconds);
  }
  if (kind == 7) fields.push_back(year_field(target));
  return joined(fields, chance(97) ? " " : (chance(50) ? "  " : "\t"));
}

}  // namespace belfry::oracle
