#include "base/text/duration_text.h"

#include "base/rng.h"

#include <gtest/gtest.h>

#include <string>

namespace belfry {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

Duration parsed(std::string_view text) {
  const Result<Duration> result = parse_duration(text);
  EXPECT_TRUE(result.has_value()) << text << ": " << to_string(result.error());
  return result.value_or(Duration(-1));
}

struct Refusal {
  std::string_view text;
  std::string_view message;
  TextSpan span;
  std::string_view hint_part;
};

void expect_refused(const Refusal& expected) {
  const Result<Duration> result = parse_duration(expected.text);
  ASSERT_FALSE(result.has_value()) << expected.text;
  const Error& error = result.error();
  EXPECT_EQ(error.code, Errc::kInvalid) << expected.text;
  EXPECT_EQ(error.message, expected.message) << expected.text;
  ASSERT_TRUE(error.span.has_value()) << expected.text;
  EXPECT_EQ(*error.span, expected.span)
      << expected.text << ": begins at " << error.span->begin << ", length " << error.span->length;
  EXPECT_NE(error.hint.find(expected.hint_part), std::string::npos)
      << expected.text << ": " << error.hint;
}

TEST(ParseDurationTest, ReadsEachUnit) {
  EXPECT_EQ(parsed("250ms"), milliseconds(250));
  EXPECT_EQ(parsed("90s"), seconds(90));
  EXPECT_EQ(parsed("15m"), minutes(15));
  EXPECT_EQ(parsed("36h"), hours(36));
  EXPECT_EQ(parsed("2d"), days(2));
}

TEST(ParseDurationTest, AddsUnitsFromLargeToSmall) {
  EXPECT_EQ(parsed("1h30m"), minutes(90));
  EXPECT_EQ(parsed("1d2h3m4s5ms"), days(1) + hours(2) + minutes(3) + seconds(4) + milliseconds(5));
  EXPECT_EQ(parsed("1d1ms"), days(1) + milliseconds(1));
  EXPECT_EQ(parsed("1m1ms"), minutes(1) + milliseconds(1));
}

TEST(ParseDurationTest, ReadsZeroAndLeadingZeros) {
  EXPECT_EQ(parsed("0s"), Duration::zero());
  EXPECT_EQ(parsed("0d0ms"), Duration::zero());
  EXPECT_EQ(parsed("007s"), seconds(7));
}

TEST(ParseDurationTest, EndsAtAHundredYears) {
  EXPECT_EQ(parsed("36525d"), kLongestDuration);
  EXPECT_EQ(parsed("36524d24h"), kLongestDuration);
  expect_refused({"36526d", "the duration is too long", {0, 6}, "100 years"});
  expect_refused({"36525d1ms", "the duration is too long", {6, 3}, "100 years"});
  expect_refused({"99999999999999999999999999d", "the duration is too long", {0, 27}, "100 years"});
  expect_refused({"9223372036854775808ms", "the duration is too long", {0, 21}, "100 years"});
}

TEST(ParseDurationTest, NamesWhatIsWrong) {
  const Refusal refusals[] = {
      {"", "the duration is empty", {0, 0}, "`90s`"},
      {"90", "a number without a unit after it", {0, 2}, "`90s`"},
      {"1h30", "a number without a unit after it", {2, 2}, "`90s`"},
      {"h", "a unit without a number before it", {0, 1}, "`90s`"},
      {"-5s", "a duration has no sign", {0, 1}, "`90s`"},
      {"5s+3ms", "a duration has no sign", {2, 1}, "`90s`"},
      {" 5s", "a duration has no blanks", {0, 1}, "`1h30m`"},
      {"5 s", "a duration has no blanks", {1, 1}, "`1h30m`"},
      {"5s\n", "a duration has no blanks", {2, 1}, "`1h30m`"},
      {"1.5h", "a duration has no fraction", {1, 1}, "`90m`"},
      {"1,5h", "a duration has no fraction", {1, 1}, "`90m`"},
      {"5min", "not a unit of time", {1, 3}, "`d`, `h`, `m`, `s` and `ms`"},
      {"5S", "not a unit of time", {1, 1}, "`s`"},
      {"2w", "not a unit of time", {1, 1}, "`7d`"},
      {"10us", "not a unit of time", {2, 2}, "smallest unit is `ms`"},
      {"5m3h", "`h` cannot follow `m`", {3, 1}, "from large to small"},
      {"1ms2s", "`s` cannot follow `ms`", {4, 1}, "from large to small"},
      {"5m3m", "`m` appears twice", {3, 1}, "once"},
      {"\xc3\xa9", "a number was expected here", {0, 1}, "`90s`"},
      {std::string_view("5s\0", 3), "a number was expected here", {2, 1}, "`90s`"},
  };
  for (const Refusal& refusal : refusals) expect_refused(refusal);
}

TEST(FormatDurationTest, UsesTheLargestUnitsThatFit) {
  EXPECT_EQ(format_duration(Duration::zero()), "0s");
  EXPECT_EQ(format_duration(milliseconds(250)), "250ms");
  EXPECT_EQ(format_duration(seconds(90)), "1m30s");
  EXPECT_EQ(format_duration(seconds(60)), "1m");
  EXPECT_EQ(format_duration(minutes(90)), "1h30m");
  EXPECT_EQ(format_duration(hours(48)), "2d");
  EXPECT_EQ(format_duration(days(1) + minutes(1)), "1d1m");
  EXPECT_EQ(format_duration(milliseconds(1'500)), "1s500ms");
}

TEST(FormatDurationTest, RoundsDownToMilliseconds) {
  EXPECT_EQ(format_duration(Duration(1'999)), "1ms");
  EXPECT_EQ(format_duration(Duration(999)), "0s");
}

TEST(FormatDurationTest, LessThanNothingIsNothing) {
  EXPECT_EQ(format_duration(Duration(-1)), "0s");
  EXPECT_EQ(format_duration(-std::chrono::hours(1)), "0s");
}

TEST(FormatDurationTest, ParsesBackToTheSameDuration) {
  Rng rng(7);
  for (int i = 0; i < 5'000; ++i) {
    // All magnitudes alike: the number of bits is drawn first.
    const std::uint64_t bound = 1ULL << (1 + rng.below(41));
    const milliseconds drawn(static_cast<std::int64_t>(rng.below(bound)));
    ASSERT_EQ(parsed(format_duration(drawn)), drawn) << drawn.count();
  }
  EXPECT_EQ(format_duration(kLongestDuration), "36525d");
}

}  // namespace
}  // namespace belfry
