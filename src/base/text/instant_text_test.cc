#include "base/text/instant_text.h"

#include "base/rng.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

namespace belfry {
namespace {

// 2026-03-08T07:00:00Z, from `date -u -d ... +%s`.
constexpr Instant kSpring = from_unix_seconds(1'772'953'200);

Instant parsed(std::string_view text) {
  const Result<Instant> result = parse_instant(text);
  EXPECT_TRUE(result.has_value()) << text << ": " << to_string(result.error());
  return result.value_or(Instant::min());
}

struct Refusal {
  std::string_view text;
  std::string_view message;
  TextSpan span;
  std::string_view hint_part;
};

void expect_refused(const Refusal& expected) {
  const Result<Instant> result = parse_instant(expected.text);
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

TEST(ParseInstantTest, ReadsUtcInEitherCase) {
  EXPECT_EQ(parsed("2026-03-08T07:00:00Z"), kSpring);
  EXPECT_EQ(parsed("2026-03-08t07:00:00z"), kSpring);
  EXPECT_EQ(parsed("1970-01-01T00:00:00Z"), Instant());
}

TEST(ParseInstantTest, ReadsOffsets) {
  EXPECT_EQ(parsed("2026-03-08T09:00:00+02:00"), kSpring);
  EXPECT_EQ(parsed("2026-03-08T01:30:00-05:30"), kSpring);
  EXPECT_EQ(parsed("2026-03-07T07:01:00-23:59"), kSpring);
  EXPECT_EQ(parsed("2026-03-08T07:00:00-00:00"), kSpring);
}

TEST(ParseInstantTest, ReadsFractionsUpToMicroseconds) {
  EXPECT_EQ(parsed("2026-03-08T07:00:00.5Z"), kSpring + Duration(500'000));
  EXPECT_EQ(parsed("2026-03-08T07:00:00.000001Z"), kSpring + Duration(1));
  EXPECT_EQ(parsed("2026-03-08T07:00:00.123456+00:00"), kSpring + Duration(123'456));
}

TEST(ParseInstantTest, KnowsLeapYears) {
  EXPECT_EQ(parsed("2024-02-29T00:00:00Z"), from_unix_seconds(1'709'164'800));
  EXPECT_EQ(parsed("2000-02-29T00:00:00Z"), from_unix_seconds(951'782'400));
  expect_refused({"2100-02-29T00:00:00Z", "day 29 does not exist in 2100-02", {8, 2}, "28 days"});
}

TEST(ParseInstantTest, TheYearInUtcCounts) {
  EXPECT_EQ(parsed("1969-12-31T19:00:00-05:00"), Instant());
  expect_refused(
      {"1970-01-01T00:00:00+02:00", "year 1969 (in UTC) is outside 1970 to 2199", {0, 4}, ""});
  expect_refused(
      {"2199-12-31T23:00:00-02:00", "year 2200 (in UTC) is outside 1970 to 2199", {0, 4}, ""});
  EXPECT_EQ(format_instant(parsed("2199-12-31T23:59:59.999999Z")), "2199-12-31T23:59:59.999999Z");
}

TEST(ParseInstantTest, NamesTheImpossiblePart) {
  const Refusal refusals[] = {
      {"1969-12-31T23:59:59Z", "year 1969 is outside 1970 to 2199", {0, 4}, ""},
      {"2200-01-01T00:00:00Z", "year 2200 is outside 1970 to 2199", {0, 4}, ""},
      {"2026-00-08T07:00:00Z", "month 0 is outside 1 to 12", {5, 2}, ""},
      {"2026-13-08T07:00:00Z", "month 13 is outside 1 to 12", {5, 2}, ""},
      {"2026-03-00T07:00:00Z", "day 0 is outside 1 to 31", {8, 2}, ""},
      {"2026-03-32T07:00:00Z", "day 32 is outside 1 to 31", {8, 2}, ""},
      {"2026-02-30T07:00:00Z", "day 30 does not exist in 2026-02", {8, 2}, "28 days"},
      {"2026-04-31T07:00:00Z", "day 31 does not exist in 2026-04", {8, 2}, "30 days"},
      {"2026-03-08T24:00:00Z", "hour 24 is outside 0 to 23", {11, 2}, "next day"},
      {"2026-03-08T07:60:00Z", "minute 60 is outside 0 to 59", {14, 2}, ""},
      {"2026-03-08T23:59:60Z", "second 60 is outside 0 to 59", {17, 2}, "leap seconds"},
      {"2026-03-08T07:00:00+24:00", "hour of the offset 24 is outside 0 to 23", {20, 2}, ""},
      {"2026-03-08T07:00:00+02:60", "minute of the offset 60 is outside 0 to 59", {23, 2}, ""},
      {"2026-03-08T07:00:00.1234567Z", "the fraction has more than 6 digits", {20, 7}, "micro"},
  };
  for (const Refusal& refusal : refusals) expect_refused(refusal);
}

TEST(ParseInstantTest, NamesTheMissingPart) {
  const Refusal refusals[] = {
      {"", "the instant is empty", {0, 0}, "2026-03-08T07:00:00Z"},
      {"tomorrow", "the year is missing", {0, 1}, "2026-03-08T07:00:00Z"},
      {"26-03-08T07:00:00Z", "the year must have 4 digits", {0, 2}, "2026"},
      {"2026-3-08T07:00:00Z", "the month must have 2 digits", {5, 1}, "2026-03"},
      {"20260308T070000Z", "the year must have 4 digits", {0, 8}, "2026-03-08"},
      {"2026/03/08T07:00:00Z", "`-` is missing after the year", {4, 1}, "2026-03-08"},
      {"2026-03-08", "the time of day is missing", {10, 0}, "T07:00:00Z"},
      {"2026-03-08 07:00:00Z", "`T` is missing between date and time", {10, 1}, "T07"},
      {"2026-03-08T07:00Z", "`:` is missing after the minute", {16, 1}, "07:00:00"},
      {"2026-03-08T07:00:00.Z", "the fraction has no digits", {20, 1}, ""},
      {"2026-03-08T07:00:00", "the time zone is missing", {19, 0}, "`Z` for UTC"},
      {"2026-03-08T07:00:00.5", "the time zone is missing", {21, 0}, "`+02:00`"},
      {"2026-03-08T07:00:00 UTC", "a time zone was expected here", {19, 1}, "`Z` for UTC"},
      {"2026-03-08T07:00:00,5Z", "a time zone was expected here", {19, 1}, ""},
      {"2026-03-08T07:00:00+0200", "the hour of the offset must have 2 digits", {20, 4}, ""},
      {"2026-03-08T07:00:00+02", "`:` is missing in the offset", {22, 0}, ""},
      {"2026-03-08T07:00:00Z ", "nothing may follow the instant", {20, 1}, ""},
      {"2026-03-08T07:00:00Z[Europe/Paris]", "nothing may follow the instant", {20, 14}, ""},
      {"-2026-03-08T07:00:00Z", "the year is missing", {0, 1}, ""},
  };
  for (const Refusal& refusal : refusals) expect_refused(refusal);
}

TEST(FormatInstantTest, ShowsOnlyTheFractionThereIs) {
  EXPECT_EQ(format_instant(kSpring), "2026-03-08T07:00:00Z");
  EXPECT_EQ(format_instant(kSpring + Duration(250'000)), "2026-03-08T07:00:00.250Z");
  EXPECT_EQ(format_instant(kSpring + Duration(1)), "2026-03-08T07:00:00.000001Z");
  EXPECT_EQ(format_instant_micros(kSpring), "2026-03-08T07:00:00.000000Z");
}

TEST(FormatInstantTest, ShowsOffsets) {
  EXPECT_EQ(format_instant(kSpring, -4 * 3'600), "2026-03-08T03:00:00-04:00");
  EXPECT_EQ(format_instant(kSpring, 5 * 3'600 + 45 * 60), "2026-03-08T12:45:00+05:45");
  EXPECT_EQ(format_instant(kSpring, 18 * 3'600), "2026-03-09T01:00:00+18:00");
  EXPECT_EQ(format_instant(kSpring + Duration(1'000), 3'600), "2026-03-08T08:00:00.001+01:00");
  EXPECT_EQ(format_instant(kSpring, 0), "2026-03-08T07:00:00Z");
  EXPECT_DEATH(format_instant(kSpring, 24 * 3'600), "ahead < 24");
}

TEST(FormatInstantTest, SecondsOfAnOffsetDoNotChangeTheInstant) {
  // Monrovia until January 1972: 44 minutes and 30 seconds behind.
  const Instant instant = from_unix_seconds(3'600);
  EXPECT_EQ(format_instant(instant, -2'670), "1970-01-01T00:16:00-00:44");
  EXPECT_EQ(parsed(format_instant(instant, -2'670)), instant);
  EXPECT_EQ(format_instant(instant, -30), "1970-01-01T01:00:00Z");
}

TEST(FormatInstantTest, ReachesBeyondWhatParses) {
  EXPECT_EQ(format_instant(Instant::from_micros(-1)), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(format_instant(Instant::from_micros(-1'000)), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(format_instant_micros(Instant::max()), "9999-12-31T23:59:59.999999Z");
  EXPECT_EQ(format_instant_micros(Instant::min()), "0000-01-01T00:00:00.000000Z");
  EXPECT_EQ(format_instant(Instant::max()), "9999-12-31T23:59:59.999999Z");
  EXPECT_EQ(format_instant(Instant::max(), 3'600), "9999-12-31T23:59:59.999999+01:00");
  EXPECT_EQ(format_instant(Instant::min(), -3'600), "0000-01-01T00:00:00-01:00");
}

TEST(FormatInstantTest, ParsesBackToTheSameInstantInEveryZone) {
  const Duration range = parsed("2199-12-31T23:59:59.999999Z") - Instant();
  const Duration precisions[] = {Duration(1), Duration(1'000), Duration(1'000'000)};
  Rng rng(8);
  for (int i = 0; i < 3'000; ++i) {
    const Duration precision = precisions[rng.below(std::size(precisions))];
    const Instant drawn(rng.up_to(range) / precision.count() * precision.count());
    const auto offset = static_cast<std::int32_t>(rng.below(2 * 86'399 + 1)) - 86'399;
    ASSERT_EQ(parsed(format_instant(drawn)), drawn);
    ASSERT_EQ(parsed(format_instant(drawn, offset)), drawn) << format_instant(drawn, offset);
  }
}

}  // namespace
}  // namespace belfry
