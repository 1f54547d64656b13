#include "tests/cron/oracle/oracle.h"

#include "tests/cron/oracle/generate.h"

#include <absl/time/time.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace belfry::oracle {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kForEver = 300 * 366 * kDay;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<std::vector<std::string>> rows_of(const std::string& file) {
  std::ifstream stream(std::string(BELFRY_CRON_DATA) + "/" + file);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(stream, line);) rows.push_back(split(line, '\t'));
  return rows;
}

std::int64_t unix_seconds(const std::string& text) {
  absl::Time time;
  std::string error;
  EXPECT_TRUE(absl::ParseTime(absl::RFC3339_sec, text, &time, &error)) << text << ": " << error;
  return absl::ToUnixSeconds(time);
}

std::string shown(std::int64_t instant) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixSeconds(instant),
                          absl::UTCTimeZone());
}

// The answer in the words of a row: five instants, and `-` where nothing follows.
std::string first_five(const Oracle& oracle, std::int64_t after) {
  std::string text;
  for (int i = 0; i < 5; ++i) {
    const std::optional<std::int64_t> instant = oracle.next(after, kForEver);
    if (!text.empty()) text += ' ';
    if (!instant) return text + "-";
    text += shown(*instant);
    after = *instant;
  }
  return text;
}

std::string first_five(const Question& question, const std::string& after) {
  const auto oracle = Oracle::make(question);
  return oracle ? first_five(*oracle, unix_seconds(after)) : "refused: " + oracle.error();
}

// --- The rows: what makes the oracle itself worth trusting ---------------------------------------

struct File {
  const char* name;
  std::size_t rows;
};

class ScheduleRows : public testing::TestWithParam<File> {};

// No row is skipped: days that cannot match cost so little that even "never" is walked to 2199.
TEST_P(ScheduleRows, AnswersAsTheTableSays) {
  const auto rows = rows_of(GetParam().name);
  ASSERT_EQ(rows.size(), GetParam().rows);
  for (const auto& row : rows) {
    ASSERT_GE(row.size(), 4U);
    SCOPED_TRACE(row[0] + " in " + row[1] + " after " + row[2]);
    const std::int64_t start = unix_seconds(row[2]);
    const auto oracle = Oracle::make({.expression = row[0],
                                      .zone = row[1],
                                      .quartz = std::string(GetParam().name) == "quartz.tsv",
                                      .anchor = start});
    ASSERT_TRUE(oracle) << oracle.error();
    EXPECT_EQ(first_five(*oracle, start), row[3]);
  }
}

TEST_P(ScheduleRows, ReadsBackwardsTheSame) {
  for (const auto& row : rows_of(GetParam().name)) {
    SCOPED_TRACE(row[0] + " in " + row[1] + " after " + row[2]);
    const std::int64_t start = unix_seconds(row[2]);
    const auto oracle = Oracle::make({.expression = row[0],
                                      .zone = row[1],
                                      .quartz = std::string(GetParam().name) == "quartz.tsv",
                                      .anchor = start});
    ASSERT_TRUE(oracle) << oracle.error();
    std::optional<std::int64_t> earlier;
    for (const std::string& text : split(row[3], ' ')) {
      if (text == "-") break;
      const std::int64_t instant = unix_seconds(text);
      EXPECT_EQ(oracle->previous(instant + 1, kForEver), instant);
      if (earlier) {
        EXPECT_EQ(oracle->previous(instant, kForEver), earlier);
      }
      earlier = instant;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, ScheduleRows,
                         testing::Values(File{"basic.tsv", 650}, File{"days.tsv", 280},
                                         File{"seconds.tsv", 240}, File{"year.tsv", 160},
                                         File{"special.tsv", 400}, File{"quartz.tsv", 210},
                                         File{"dst.tsv", 673}, File{"edge.tsv", 134},
                                         File{"macros.tsv", 70}, File{"every.tsv", 24},
                                         File{"never.tsv", 45}, File{"peers.tsv", 462}),
                         [](const auto& file) {
                           const std::string name = file.param.name;
                           return name.substr(0, name.find('.'));
                         });

TEST(OracleRows, RefusesWhatMustBeRefused) {
  const auto rows = rows_of("rejects.tsv");
  ASSERT_EQ(rows.size(), 404U);
  for (const auto& row : rows) {
    EXPECT_FALSE(Oracle::make({.expression = row[0], .zone = "UTC"})) << row[0] << ": " << row[1];
  }
}

TEST(OracleRows, RefusesWhatNoRowCanSay) {
  for (const std::string text : {"", " ", "\t \t", "0 0 * * *\n", "0 0 *\r * *", "0 0 * * \x01"}) {
    EXPECT_FALSE(Oracle::make({.expression = text, .zone = "UTC"})) << text;
  }
  EXPECT_FALSE(Oracle::make({.expression = "0 0 * * *", .zone = "Mars/Olympus_Mons"}));
}

TEST(OracleRows, ResolvesHashesByKey) {
  const auto rows = rows_of("hash.tsv");
  ASSERT_EQ(rows.size(), 60U);
  for (const auto& row : rows) {
    const auto hashed = Oracle::make({.expression = row[0], .zone = "UTC", .key = row[1]});
    const auto resolved = Oracle::make({.expression = row[2], .zone = "UTC"});
    ASSERT_TRUE(hashed) << row[0] << ": " << hashed.error();
    ASSERT_TRUE(resolved) << row[2] << ": " << resolved.error();
    std::int64_t t = unix_seconds("2024-01-01T00:00:00Z");
    for (int i = 0; i < 100; ++i) {
      const std::optional<std::int64_t> next = resolved->next(t, kForEver);
      ASSERT_EQ(hashed->next(t, kForEver), next) << row[0] << " key " << row[1];
      t = next.value();
    }
  }
}

// --- The rules that no row covers ----------------------------------------------------------------

TEST(OracleRules, QuartzIsSixOrSevenFieldsWithOneOpenDay) {
  const auto accepts = [](const std::string& expression) {
    return Oracle::make({.expression = expression, .zone = "UTC", .quartz = true}).has_value();
  };
  EXPECT_TRUE(accepts("0 0 0 ? * 2"));
  EXPECT_TRUE(accepts("0 0 0 * * ? 2030"));
  EXPECT_FALSE(accepts("0 0 ? * 2"));
  EXPECT_FALSE(accepts("0 0 0 1 * 2"));
  EXPECT_FALSE(accepts("0 0 0 ? * 0"));
  EXPECT_FALSE(accepts("0 0 0 ? * 8"));
}

TEST(OracleRules, GapPolicyIsForFixedTimesOnly) {
  Question fixed = {.expression = "30 2 * * *", .zone = "America/New_York"};
  EXPECT_TRUE(first_five(fixed, "2024-03-10T00:00:00Z")
                  .starts_with("2024-03-10T07:00:00Z 2024-03-11T06:30:00Z"));
  fixed.gap_skip = true;
  EXPECT_TRUE(first_five(fixed, "2024-03-10T00:00:00Z").starts_with("2024-03-11T06:30:00Z"));
  // 03:00 matches by itself, with or without the missing 02:30.
  fixed.expression = "0,30 2,3 * * *";
  EXPECT_TRUE(first_five(fixed, "2024-03-10T00:00:00Z")
                  .starts_with("2024-03-10T07:00:00Z 2024-03-10T07:30:00Z"));
  fixed.gap_skip = false;
  EXPECT_TRUE(first_five(fixed, "2024-03-10T00:00:00Z")
                  .starts_with("2024-03-10T07:00:00Z 2024-03-10T07:30:00Z"));
}

TEST(OracleRules, OverlapPolicyIsForFixedTimesOnly) {
  Question question = {.expression = "30 1 * * *", .zone = "America/New_York"};
  EXPECT_TRUE(first_five(question, "2024-11-03T00:00:00Z")
                  .starts_with("2024-11-03T05:30:00Z 2024-11-04T06:30:00Z"));
  question.overlap_both = true;
  EXPECT_TRUE(first_five(question, "2024-11-03T00:00:00Z")
                  .starts_with("2024-11-03T05:30:00Z 2024-11-03T06:30:00Z"));
  question.overlap_both = false;
  question.expression = "*/30 1 * * *";
  EXPECT_TRUE(first_five(question, "2024-11-03T05:00:00Z")
                  .starts_with("2024-11-03T05:30:00Z 2024-11-03T06:00:00Z"));
}

TEST(OracleRules, ThreeHoursAreAGapAndMoreIsMissingTime) {
  // Casey jumped from 00:01 to 03:01 on 2020-10-04, exactly three hours.
  EXPECT_TRUE(
      first_five({.expression = "30 1 * * *", .zone = "Antarctica/Casey"}, "2020-10-03T12:00:00Z")
          .starts_with("2020-10-03T16:01:00Z 2020-10-04T14:30:00Z"));
  // Vostok jumped by seven hours in November 1994, from 00:00 to 07:00.
  EXPECT_TRUE(
      first_five({.expression = "0 3 * * *", .zone = "Antarctica/Vostok"}, "1994-10-31T12:00:00Z")
          .starts_with("1994-11-01T20:00:00Z"));
}

TEST(OracleRules, MissingTimesMatchOnTheirOwnDate) {
  // Santiago 2019-09-08: 00:00 to 01:00, so the missing times belong to the 8th, a Sunday.
  EXPECT_TRUE(
      first_five({.expression = "30 0 8 9 *", .zone = "America/Santiago"}, "2019-09-01T00:00:00Z")
          .starts_with("2019-09-08T04:00:00Z 2020-09-08T03:30:00Z"));
}

TEST(OracleRules, OffsetsNeedNotBeWholeMinutes) {
  // Monrovia was 44 minutes and 30 seconds behind until 1972-01-07, when the clocks went from 00:00
  // straight to 00:44:30.
  EXPECT_TRUE(
      first_five({.expression = "0 * * * *", .zone = "Africa/Monrovia"}, "1972-01-06T22:00:00Z")
          .starts_with("1972-01-06T22:44:30Z 1972-01-06T23:44:30Z 1972-01-07T01:00:00Z"));
  EXPECT_TRUE(
      first_five({.expression = "30 0 * * *", .zone = "Africa/Monrovia"}, "1972-01-06T22:00:00Z")
          .starts_with("1972-01-07T00:44:30Z 1972-01-08T00:30:00Z"));
}

TEST(OracleRules, TheHorizonIsInclusive) {
  const auto oracle = Oracle::make({.expression = "0 0 * * *", .zone = "UTC"});
  ASSERT_TRUE(oracle);
  EXPECT_EQ(oracle->next(1, kDay - 1), kDay);
  EXPECT_EQ(oracle->next(1, kDay - 2), std::nullopt);
  EXPECT_EQ(oracle->previous(2 * kDay, kDay), kDay);
  EXPECT_EQ(oracle->previous(2 * kDay, kDay - 1), std::nullopt);
}

// --- The walk ------------------------------------------------------------------------------------

// Skipping dead time is the only cleverness of the search: here it is checked against none at all.
TEST(OracleWalk, SkipsNothingThatFires) {
  Generator generator(7);
  for (int i = 0; i < 400; ++i) {
    const Case drawn = generator.draw();
    const auto oracle = Oracle::make(drawn.question);
    ASSERT_TRUE(oracle) << describe(drawn) << ": " << oracle.error();
    std::set<std::int64_t> firings;
    const std::int64_t from = drawn.instant - 5 * kHour;
    const std::int64_t to = drawn.instant + 5 * kHour;
    for (std::int64_t t = from; t <= to; ++t) {
      if (oracle->fires_at(t)) firings.insert(t);
    }
    std::int64_t t = from - 1;
    for (const std::int64_t firing : firings) {
      ASSERT_EQ(oracle->next(t, to - t), firing) << describe(drawn);
      t = firing;
    }
    EXPECT_EQ(oracle->next(t, to - t), std::nullopt) << describe(drawn);
    t = to + 1;
    for (auto it = firings.rbegin(); it != firings.rend(); ++it) {
      ASSERT_EQ(oracle->previous(t, t - from), *it) << describe(drawn);
      t = *it;
    }
    EXPECT_EQ(oracle->previous(t, t - from), std::nullopt) << describe(drawn);
  }
}

// "Occurs twice, fires at the earlier instant": the oracle looks for an earlier instant with the
// same reading; Abseil has an opinion of its own.
TEST(OracleWalk, AgreesWithAbseilOnWhatIsRepeated) {
  Generator generator(8);
  int repeated = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Case drawn = generator.draw();
    absl::TimeZone zone;
    ASSERT_TRUE(absl::LoadTimeZone(drawn.question.zone, &zone));
    const auto always =
        Oracle::make({.expression = "0-59 0-59 0-23 * * *", .zone = drawn.question.zone});
    ASSERT_TRUE(always);
    const absl::Time instant = absl::FromUnixSeconds(drawn.instant);
    const absl::TimeZone::TimeInfo info = zone.At(zone.At(instant).cs);
    const bool second_pass =
        info.kind == absl::TimeZone::TimeInfo::REPEATED && info.post == instant;
    EXPECT_EQ(always->is_silenced_second_pass(drawn.instant), second_pass) << describe(drawn);
    if (second_pass) ++repeated;
  }
  EXPECT_GT(repeated, 200);
}

// --- The generator -------------------------------------------------------------------------------

TEST(Generator, RepeatsItselfForTheSameSeed) {
  Generator one(42);
  Generator two(42);
  Generator other(43);
  int different = 0;
  for (int i = 0; i < 1'000; ++i) {
    const std::string text = describe(one.draw());
    EXPECT_EQ(text, describe(two.draw()));
    if (text != describe(other.draw())) ++different;
  }
  EXPECT_GT(different, 990);
}

// What a comparison asks of a case: the next three instants and the previous one.
std::vector<std::optional<std::int64_t>> answers(const Oracle& oracle, const Case& drawn) {
  std::vector<std::optional<std::int64_t>> result = {
      oracle.previous(drawn.instant, drawn.backward_horizon)};
  std::optional<std::int64_t> t = drawn.instant;
  for (int i = 0; i < 3 && t; ++i) {
    t = oracle.next(*t, drawn.forward_horizon);
    result.push_back(t);
  }
  return result;
}

TEST(Generator, ReachesEveryKindAndReallyHitsClockChanges) {
  Generator generator(1);
  EXPECT_GT(generator.zones().size(), 400U);
  EXPECT_GT(generator.change_count(), 20'000U);
  constexpr int kCases = 20'000;
  std::map<std::string, int> seen;
  for (int i = 0; i < kCases; ++i) {
    const Case drawn = generator.draw();
    const Question& question = drawn.question;
    const auto oracle = Oracle::make(question);
    ASSERT_TRUE(oracle) << describe(drawn) << ": " << oracle.error();

    std::istringstream stream(question.expression);
    const auto fields = std::distance(std::istream_iterator<std::string>(stream), {});
    ++seen[std::to_string(fields) + " fields"];
    for (const char* mark : {"L", "L-", "LW", "W", "#", "?", "*/", "H", "FRI", "JAN", "@"}) {
      if (question.expression.find(mark) != std::string::npos) ++seen[mark];
    }
    if (question.quartz) ++seen["quartz"];
    if (drawn.near_change) ++seen["near a change"];
    ++seen[oracle->is_fixed_time() ? "fixed time" : "interval"];

    // A policy was at work if the other one would have answered differently.
    const auto given = answers(*oracle, drawn);
    if (!given.back()) ++seen["fewer than three within the horizon"];
    if (!given.front()) ++seen["no previous within the horizon"];
    Question other_gap = question;
    other_gap.gap_skip = !question.gap_skip;
    if (answers(*Oracle::make(other_gap), drawn) != given) ++seen["decided by a gap"];
    Question other_overlap = question;
    other_overlap.overlap_both = !question.overlap_both;
    if (answers(*Oracle::make(other_overlap), drawn) != given) ++seen["decided by an overlap"];
  }
  for (const auto& [what, count] : seen) {
    std::cout << "  " << what << ": " << count << "\n";
    EXPECT_GE(count, kCases / 1000) << what;
  }
  for (const char* what : {"5 fields", "6 fields", "7 fields", "L", "L-", "LW", "W", "#", "?", "*/",
                           "H", "FRI", "JAN", "@", "quartz", "fixed time", "interval"}) {
    EXPECT_TRUE(seen.contains(what)) << what;
  }
  EXPECT_GT(seen["near a change"], kCases * 4 / 10);
  EXPECT_GT(seen["decided by a gap"], kCases / 30);
  EXPECT_GT(seen["decided by an overlap"], kCases / 30);
}

TEST(Generator, GarblesMostlyIntoWhatIsRefused) {
  Generator generator(3);
  int refused = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (!Oracle::make(generator.draw_garbled().question)) ++refused;
  }
  EXPECT_GT(refused, 3'000);
  EXPECT_LT(refused, 9'900);
}

}  // namespace
}  // namespace belfry::oracle
