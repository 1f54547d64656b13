#include "core/schedule/windows.h"

#include "base/text/instant_text.h"
#include "core/schedule/schedule.h"

#include <absl/time/civil_time.h>
#include <absl/time/time.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace belfry::core {
namespace {

ZoneCatalog& zones() {
  static ZoneCatalog catalog;
  return catalog;
}
std::int64_t second(const char* text) {
  return floor_unix_seconds(*parse_instant(text));
}
// The window around an instant as text, in the zone of the job.
std::string window_at(const char* rule, const char* instant, const char* job_zone = "UTC") {
  Windows windows;
  const auto added = windows.add(rule, zones());
  if (!added) return to_string(added.error());
  windows.seal();
  const auto found = windows.at(second(instant), **zones().find(job_zone));
  if (!found) return "open";
  return format_instant(from_unix_seconds(found->begin)) + " " +
         format_instant(from_unix_seconds(found->end));
}

TEST(WindowsTest, WeekendIsOneStretchInItsOwnZone) {
  const char* weekend = "FRI 18:00..MON 06:00 Europe/Berlin";
  EXPECT_EQ(window_at(weekend, "2026-11-13T16:59:59Z"), "open");
  EXPECT_EQ(window_at(weekend, "2026-11-13T17:00:00Z", "Asia/Tokyo"),
            "2026-11-13T17:00:00Z 2026-11-16T05:00:00Z");
  EXPECT_EQ(window_at(weekend, "2026-11-16T04:59:59Z"),
            "2026-11-13T17:00:00Z 2026-11-16T05:00:00Z");
  EXPECT_EQ(window_at(weekend, "2026-11-16T05:00:00Z"), "open");
}

TEST(WindowsTest, WeekendIsAnHourLongerWhenTheClocksGoBack) {
  EXPECT_EQ(window_at("FRI 18:00..MON 06:00", "2026-10-25T12:00:00Z", "Europe/Berlin"),
            "2026-10-23T16:00:00Z 2026-10-26T05:00:00Z");
}

TEST(WindowsTest, EndThatComesTwiceIsTheSecondOne) {
  EXPECT_EQ(window_at("SUN 01:00..SUN 02:30 Europe/Berlin", "2026-10-25T00:45:00Z"),
            "2026-10-24T23:00:00Z 2026-10-25T01:30:00Z");
}

TEST(WindowsTest, TimesThatTheClocksJumpOverAreTheJump) {
  EXPECT_EQ(window_at("SUN 00:00..SUN 02:30 Europe/Berlin", "2026-03-29T00:59:59Z"),
            "2026-03-28T23:00:00Z 2026-03-29T01:00:00Z");
  EXPECT_EQ(window_at("SUN 02:30..SUN 05:00 Europe/Berlin", "2026-03-29T01:00:00Z"),
            "2026-03-29T01:00:00Z 2026-03-29T03:00:00Z");
  EXPECT_EQ(window_at("SUN 02:10..SUN 02:30 Europe/Berlin", "2026-03-29T01:00:00Z"), "open");
}

TEST(WindowsTest, DaysHaveTheirOwnWindowAndAnEndThatIsNotLaterIsTomorrows) {
  EXPECT_EQ(window_at("22:00..06:00", "2026-11-16T05:59:00Z"),
            "2026-11-15T22:00:00Z 2026-11-16T06:00:00Z");
  EXPECT_EQ(window_at("MON-FRI 09:00..17:00", "2026-11-16T10:00:00Z"),
            "2026-11-16T09:00:00Z 2026-11-16T17:00:00Z");
  EXPECT_EQ(window_at("MON-FRI 09:00..17:00", "2026-11-15T10:00:00Z"), "open");
  EXPECT_EQ(window_at("SAT 00:00..24:00", "2026-11-14T23:59:59Z"),
            "2026-11-14T00:00:00Z 2026-11-15T00:00:00Z");
}

TEST(WindowsTest, PeriodsHaveFirstAndLastDays) {
  const char* close = "last 3 days of quarter";
  EXPECT_EQ(window_at(close, "2026-12-28T23:59:59Z"), "open");
  EXPECT_EQ(window_at(close, "2026-12-29T00:00:00Z"), "2026-12-29T00:00:00Z 2027-01-01T00:00:00Z");
  EXPECT_EQ(window_at(close, "2026-11-30T00:00:00Z"), "open");
  EXPECT_EQ(window_at("Last day of month", "2028-02-29T12:00:00Z"),
            "2028-02-29T00:00:00Z 2028-03-01T00:00:00Z");
  EXPECT_EQ(window_at("first 5 days of year Asia/Tokyo", "2026-12-31T15:00:00Z"),
            "2026-12-31T15:00:00Z 2027-01-05T15:00:00Z");
}

TEST(WindowsTest, OnceIsBetweenTwoInstantsOrTwoWallClockTimes) {
  EXPECT_EQ(window_at("2026-12-24T18:00..2026-12-27T06:00 Europe/Berlin", "2026-12-25T00:00:00Z"),
            "2026-12-24T17:00:00Z 2026-12-27T05:00:00Z");
  EXPECT_EQ(window_at("2026-12-24T18:00:30Z..2026-12-24T18:00:31Z", "2026-12-24T18:00:30Z"),
            "2026-12-24T18:00:30Z 2026-12-24T18:00:31Z");
}

TEST(WindowsTest, TickInsideBecauseOfJitterIsExcludedAndThoseOfAWindowArePassedAtOnce) {
  ScheduleSpec spec{.cron_expression = "* * * * * *", .timezone = "Europe/Berlin"};
  spec.calendar_name = "weekend";
  spec.calendar_rules = "FRI 18:00..MON 06:00";
  const auto every_second = Schedule::make(spec, zones());
  ASSERT_TRUE(every_second);
  EXPECT_EQ(every_second->next_run(*parse_instant("2026-11-13T16:59:59Z"))->starts(),
            *parse_instant("2026-11-16T05:00:00Z"));

  spec.cron_expression = "59 17 * * *";
  spec.jitter = std::chrono::hours(1);
  spec.key = "1/some job";
  ASSERT_GE(jitter_for(spec.key, spec.jitter), std::chrono::minutes(1));
  const auto spread = Schedule::make(spec, zones());
  const auto friday = spread->next(*parse_instant("2026-11-13T12:00:00Z"));
  EXPECT_EQ(friday->exclusion, Exclusion::kCalendar);
}

// The model: a list of the minutes of a month, each with what the wall clocks show, by Abseil. It
// shares no code with the engine and knows windows only by their definition.
constexpr std::array<const char*, 6> kZones{
    "UTC",          "Europe/Berlin",     "America/New_York",
    "Asia/Kolkata", "Africa/Casablanca", "Australia/Lord_Howe"};
constexpr std::int64_t kMinutes = 30 * 1'440;
std::string day_name(std::int64_t day) {
  constexpr std::array<const char*, 7> kDays{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};
  return kDays[static_cast<std::size_t>(day)];
}

class Month {
 public:
  explicit Month(std::int64_t first_minute) : first_(first_minute) {
    for (const char* name : kZones) {
      absl::TimeZone zone;
      EXPECT_TRUE(absl::LoadTimeZone(name, &zone));
      std::vector<std::int64_t>& shown = civil_.emplace_back(kMinutes);
      for (std::int64_t m = 0; m < kMinutes; ++m) {
        const auto minute = absl::ToCivilMinute(absl::FromUnixSeconds((first_ + m) * 60), zone);
        shown[static_cast<std::size_t>(m)] = minute - absl::CivilMinute(1970, 1, 1);
      }
    }
  }
  std::int64_t first() const { return first_; }
  std::int64_t civil(std::size_t zone, std::int64_t m) const {
    return civil_[zone][static_cast<std::size_t>(m)];
  }
  // Closes what a window of civil minutes [begin, end) covers.
  void close(std::size_t zone, std::int64_t begin, std::int64_t end, std::vector<bool>& closed) {
    std::int64_t from = 0;
    std::int64_t to = kMinutes;
    while (from < kMinutes && civil(zone, from) < begin) ++from;
    while (to > 0 && civil(zone, to - 1) >= end) --to;
    for (std::int64_t m = from; m < to; ++m) closed[static_cast<std::size_t>(m)] = true;
  }
  std::int64_t first_day(std::size_t zone) const { return civil(zone, 0) / 1'440 - 9; }
  std::int64_t last_day(std::size_t zone) const { return civil(zone, kMinutes - 1) / 1'440 + 9; }

 private:
  std::int64_t first_;
  std::vector<std::vector<std::int64_t>> civil_;
};

class Cases {
 public:
  explicit Cases(std::uint64_t seed) : chance_(seed), month_(pick(18'262, 21'914) * 1'440) {
    closed_.resize(kMinutes);
    job_zone_ = static_cast<std::size_t>(pick(0, kZones.size() - 1));
    const std::int64_t count = pick(1, 3);
    for (std::int64_t i = 0; i < count; ++i) add_rule();
    opens_.resize(kMinutes, kMinutes);
    for (std::size_t m = kMinutes; m-- > 0;) {
      const std::int64_t next = m + 1 < kMinutes ? opens_[m + 1] : kMinutes;
      opens_[m] = closed_[m] ? next : static_cast<std::int64_t>(m);
    }
  }

  // How many cases were held against the model.
  std::int64_t run(std::int64_t wanted) {
    ScheduleSpec spec{.timezone = kZones[job_zone_], .calendar_name = "c"};
    spec.calendar_rules = join_rules(rules_);
    auto made = Calendar::make("c", rules_, zones());
    EXPECT_TRUE(made) << spec.calendar_rules << to_string(made.error());
    if (!made) return 0;
    spec.calendar = std::make_shared<const Calendar>(*std::move(made));
    spec.type = ScheduleSpec::Type::kEvery;
    std::int64_t done = 0;
    while (done < wanted && !testing::Test::HasFailure()) {
      const std::int64_t every = pick(0, 3) == 0 ? 1 : pick(2, 1'000);
      spec.every = std::chrono::minutes(every);
      const auto schedule = Schedule::make(spec, zones());
      EXPECT_TRUE(schedule);
      spec.calendar_policy = CalendarPolicy::kDelay;
      const auto delaying = Schedule::make(spec, zones());
      spec.calendar_policy = CalendarPolicy::kSkip;
      for (int i = 0; i < 50; ++i, ++done) {
        const std::int64_t minute = pick(0, kMinutes - 1);
        ask(*schedule, every, minute);
        ask_delaying(*delaying, every, minute);
      }
    }
    return done;
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(chance_);
  }
  static std::string clock(std::int64_t minute) {
    const std::string hour = std::to_string(minute / 60);
    const std::string rest = std::to_string(minute % 60);
    return (hour.size() < 2 ? "0" : "") + hour + (rest.size() < 2 ? ":0" : ":") + rest;
  }
  static std::string date(std::int64_t day) {
    return absl::FormatCivilTime(absl::CivilDay(1970, 1, 1) + day);
  }

  void add_rule() {
    const bool own = pick(0, 1) == 0;
    const auto zone = own ? static_cast<std::size_t>(pick(0, kZones.size() - 1)) : job_zone_;
    const std::string behind = own ? std::string(" ") + kZones[zone] : "";
    switch (pick(0, 4)) {
      case 0: return add_weekly(zone, behind);
      case 1: return add_daily(zone, behind);
      case 2: return add_period(zone, behind);
      case 3: return add_once(zone, behind);
      default: return add_weekday();
    }
  }
  void add_weekly(std::size_t zone, const std::string& behind) {
    const std::int64_t from = pick(0, 10'079);
    const std::int64_t length = pick(1, 10'079);
    const std::int64_t to = (from + length) % 10'080;
    rules_.push_back(day_name(from / 1'440) + " " + clock(from % 1'440) + ".." +
                     day_name(to / 1'440) + " " + clock(to % 1'440) + behind);
    for (std::int64_t day = month_.first_day(zone); day <= month_.last_day(zone); ++day) {
      if ((day + 4) % 7 != from / 1'440) continue;
      const std::int64_t begin = day * 1'440 + from % 1'440;
      month_.close(zone, begin, begin + length, closed_);
    }
  }
  void add_daily(std::size_t zone, const std::string& behind) {
    const std::int64_t from = pick(0, 1'439);
    const std::int64_t length = pick(1, 1'440);
    const std::int64_t only = pick(0, 6);
    rules_.push_back(day_name(only) + " " + clock(from) + ".." + clock((from + length) % 1'440) +
                     behind);
    for (std::int64_t day = month_.first_day(zone); day <= month_.last_day(zone); ++day) {
      if ((day + 4) % 7 != only) continue;
      month_.close(zone, day * 1'440 + from, day * 1'440 + from + length, closed_);
    }
  }
  void add_period(std::size_t zone, const std::string& behind) {
    const std::int64_t months = std::array{1, 3, 12}[static_cast<std::size_t>(pick(0, 2))];
    const std::int64_t days = pick(1, months == 1 ? 27 : 40);
    const bool last = pick(0, 1) == 0;
    const auto period = [&](std::int64_t day) {
      const absl::CivilDay date = absl::CivilDay(1970, 1, 1) + day;
      return (date.year() * 12 + date.month() - 1) / months;
    };
    rules_.push_back((last ? "last " : "first ") + std::to_string(days) + " days of " +
                     (months == 1   ? "month"
                      : months == 3 ? "quarter"
                                    : "year") +
                     behind);
    for (std::int64_t day = month_.first_day(zone); day <= month_.last_day(zone); ++day) {
      if (period(day) == period(last ? day + days : day - days)) continue;
      month_.close(zone, day * 1'440, (day + 1) * 1'440, closed_);
    }
  }
  void add_once(std::size_t zone, const std::string& behind) {
    const std::int64_t from = month_.civil(zone, pick(0, kMinutes - 1));
    const std::int64_t to = from + pick(1, 5'000);
    rules_.push_back(date(from / 1'440) + "T" + clock(from % 1'440) + ".." + date(to / 1'440) +
                     "T" + clock(to % 1'440) + behind);
    month_.close(zone, from, to, closed_);
  }
  void add_weekday() {
    const std::int64_t only = pick(0, 6);
    rules_.push_back(day_name(only));
    for (std::int64_t m = 0; m < kMinutes; ++m) {
      const std::int64_t day = month_.civil(job_zone_, m) / 1'440;
      if ((day + 4) % 7 == only) closed_[static_cast<std::size_t>(m)] = true;
    }
  }

  void ask(const Schedule& schedule, std::int64_t every, std::int64_t m) {
    const auto ticks = [&](std::int64_t minute) { return (month_.first() + minute) % every == 0; };
    const auto closed = [&](std::int64_t minute) {
      return closed_[static_cast<std::size_t>(minute)];
    };
    std::int64_t tick = m + 1;
    while (tick < kMinutes && !ticks(tick)) ++tick;
    std::int64_t runs = tick;
    while (runs < kMinutes && closed(runs)) runs += every;
    runs = std::min(runs, kMinutes);
    const Instant from = from_unix_seconds((month_.first() + m) * 60);
    const auto found = schedule.next(from);
    if (tick < kMinutes) {
      EXPECT_EQ(found->tick.instant(), from_unix_seconds((month_.first() + tick) * 60));
      EXPECT_EQ(found->exclusion == Exclusion::kCalendar, closed(tick)) << told(tick);
    }
    if (runs == kMinutes) return;  // a later month has it
    const Instant end = from_unix_seconds((month_.first() + runs) * 60);
    const auto next = schedule.next_run(from);
    EXPECT_TRUE(next && next->starts() == end)
        << told(m) << " expected " << format_instant(end) << " got "
        << (next ? format_instant(next->starts()) : "none");
  }

  // What becomes of a tick where the calendar delays: when it runs; none where a later one stands
  // for it, or where a later month has the answer.
  struct Delayed {
    std::optional<std::int64_t> starts;
    bool is_known = true;
  };
  Delayed delayed(std::int64_t tick, std::int64_t every) const {
    const std::int64_t opens = opens_[static_cast<std::size_t>(tick)];
    if (opens == tick) return {.starts = tick};
    if (opens >= kMinutes) return {.starts = {}, .is_known = false};  // it may be closed for ever
    if (tick + every <= opens) return {};
    return {.starts = opens};
  }

  void ask_delaying(const Schedule& schedule, std::int64_t every, std::int64_t m) {
    const auto instant = [&](std::int64_t minute) {
      return from_unix_seconds((month_.first() + minute) * 60);
    };
    std::int64_t tick = m + 1;
    while (tick < kMinutes && (month_.first() + tick) % every != 0) ++tick;
    if (tick >= kMinutes) return;
    const auto found = schedule.next(instant(m));
    const Delayed next = delayed(tick, every);
    if (next.is_known) {
      EXPECT_EQ(found->exclusion, next.starts ? Exclusion::kNone : Exclusion::kCoalesced)
          << told(tick);
      EXPECT_EQ(found->delay, std::chrono::minutes(next.starts.value_or(tick) - tick));
    }
    // The first that starts after m; one that waits there has come before.
    for (std::int64_t each = tick - every; each < kMinutes; each += every) {
      if (each < 0 && closed_[0]) return;  // it may have begun to wait before the month
      if (each < 0) continue;
      const Delayed fate = delayed(each, every);
      if (!fate.is_known) return;
      if (!fate.starts || *fate.starts <= m) continue;
      const auto run = schedule.next_run(instant(m));
      EXPECT_TRUE(run && run->starts() == instant(*fate.starts) &&
                  run->tick.instant() == instant(each))
          << told(m);
      return;
    }
  }
  std::string told(std::int64_t m) const {
    return join_rules(rules_) + "\njob in " + kZones[job_zone_] + " at " +
           format_instant(from_unix_seconds((month_.first() + m) * 60));
  }

  std::mt19937_64 chance_;
  Month month_;
  std::size_t job_zone_ = 0;
  std::vector<std::string> rules_;
  std::vector<bool> closed_;
  std::vector<std::int64_t> opens_;  // the first open minute from each one on
};

TEST(WindowsTest, AgreesWithAModelOfEveryMinuteOnAMillionCases) {
  constexpr std::int64_t kCalendars = 500;
  constexpr std::int64_t kEach = 2'000;
  std::int64_t asked = 0;
  for (std::uint64_t seed = 1; seed <= kCalendars && !HasFailure(); ++seed) {
    asked += Cases(seed).run(kEach);
  }
  EXPECT_EQ(asked, kCalendars * kEach);
}

}  // namespace
}  // namespace belfry::core
