#include "core/schedule/zone.h"

#include "core/schedule/zone_catalog.h"

#include <absl/time/time.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace belfry::core {
namespace {

std::vector<std::string> every_zone_on_this_system() {
  std::vector<std::string> names;
  const std::filesystem::path root = "/usr/share/zoneinfo";
  for (const char* region : {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia",
                             "Europe", "Indian", "Pacific", "Etc"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(root / region)) {
      if (file.is_regular_file()) names.push_back(file.path().lexically_relative(root));
    }
  }
  return names;
}

TEST(ZoneTest, GivesTheOffsetsOfAbseilInEveryZoneThrough2199) {
  const std::vector<std::string> names = every_zone_on_this_system();
  ASSERT_GT(names.size(), 400U);
  ZoneCatalog zones;
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> instant(0, 7'258'118'399);
  for (const std::string& name : names) {
    const auto zone = zones.find(name);
    ASSERT_TRUE(zone) << name;
    absl::TimeZone oracle;
    ASSERT_TRUE(absl::LoadTimeZone(name, &oracle));
    const auto check = [&](std::int64_t t) {
      ASSERT_EQ((*zone)->offset_at(t), oracle.At(absl::FromUnixSeconds(t)).offset)
          << name << " at " << t;
    };
    for (int i = 0; i < 50; ++i) check(instant(random));
    for (std::size_t i = 1; i < (*zone)->span_count(); ++i) {  // both sides of every change
      const std::int64_t begin = (*zone)->span(i).begin;
      check(begin - 1);
      check(begin);
    }
  }
}

TEST(ZoneTest, KnowsGapsAndOverlaps) {
  ZoneCatalog zones;
  const Zone& zone = **zones.find("America/New_York");
  const ZoneSpan& summer = zone.span(zone.span_index_at(1'710'054'000));  // 2024-03-10T07:00Z
  EXPECT_EQ(summer.begin, 1'710'054'000);
  EXPECT_EQ(summer.gap_seconds(), 3'600);
  const ZoneSpan& winter = zone.span(zone.span_index_at(1'730'613'600));  // 2024-11-03T06:00Z
  EXPECT_EQ(winter.begin, 1'730'613'600);
  EXPECT_EQ(winter.gap_seconds(), -3'600);
  EXPECT_EQ(winter.repeated_until, winter.civil_begin() + 3'600);
}

TEST(ZoneTest, RefusesWhatIsNoZoneAndSuggestsTheNearest) {
  ZoneCatalog zones;
  for (const char* name : {"", "Mars/Base", "/etc/passwd", "../etc/passwd", "posix/UTC",
                           "localtime", "Europe/Berlin ", "Fixed/UTC+01:00:00", "Europe"}) {
    const auto zone = zones.find(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().field, "timezone");
    EXPECT_FALSE(zone.error().hint.empty());
  }
  EXPECT_EQ(zones.find("Europe/Berlim").error().hint, "did you mean `Europe/Berlin`?");
  EXPECT_EQ(zones.find("europe/berlin").error().hint, "did you mean `Europe/Berlin`?");
  EXPECT_EQ(zones.find("Kathmandu").error().hint, "did you mean `Asia/Kathmandu`?");
}

}  // namespace
}  // namespace belfry::core
