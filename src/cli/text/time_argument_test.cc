#include "cli/text/time_argument.h"

#include "base/text/instant_text.h"

#include <gtest/gtest.h>

namespace belfry::cli {
namespace {

std::string read(const std::string& text, const std::string& zone = "Europe/Berlin") {
  core::ZoneCatalog zones;
  const auto at = parse_time(text, *parse_instant("2026-11-15T23:30:00Z"), zone, zones);
  return at ? format_instant(*at) : "error: " + to_string(at.error());
}

TEST(TimeArgumentTest, ReadsWhatPeopleType) {
  EXPECT_EQ(read("2026-03-08T07:00:00Z"), "2026-03-08T07:00:00Z");
  EXPECT_EQ(read("2027-03-09T07:00Z"), "2027-03-09T07:00:00Z");
  EXPECT_EQ(read("now"), "2026-11-15T23:30:00Z");
  EXPECT_EQ(read("+2h"), "2026-11-16T01:30:00Z");
  EXPECT_EQ(read("-90m"), "2026-11-15T22:00:00Z");
  EXPECT_EQ(read("2026-07-01 12:00"), "2026-07-01T10:00:00Z");
  EXPECT_EQ(read("2026-07-01T12:00:30"), "2026-07-01T10:00:30Z");
  EXPECT_EQ(read("2026-12-24"), "2026-12-23T23:00:00Z");
  EXPECT_EQ(read("08:00"), "2026-11-16T07:00:00Z");  // in Berlin it is the 16th already
}

TEST(TimeArgumentTest, ClockChanges) {
  EXPECT_EQ(read("2027-03-28 02:30"), "2027-03-28T01:00:00Z");  // does not exist: the jump
  EXPECT_EQ(read("2026-10-25 02:30"), "2026-10-25T00:30:00Z");  // comes twice: the first
  EXPECT_EQ(read("2026-10-25 03:00"), "2026-10-25T02:00:00Z");
}

TEST(TimeArgumentTest, RefusesWithExamples) {
  for (const char* text : {"tomorrow", "25:00", "2026-02-30", "12:61", "+2", "", "2026-1-1"}) {
    EXPECT_TRUE(read(text).starts_with("error: ")) << text;
  }
  EXPECT_NE(read("tomorrow").find("07:00"), std::string::npos);
  EXPECT_NE(read("07:00", "Berlin").find("Europe/Berlin"), std::string::npos);
}

TEST(TimeArgumentTest, TheZoneOfThisMachine) {
  EXPECT_EQ(local_zone("Asia/Tokyo"), "Asia/Tokyo");
  EXPECT_EQ(local_zone(":/usr/share/zoneinfo/Asia/Tokyo"), "Asia/Tokyo");
}

}  // namespace
}  // namespace belfry::cli
