#include "base/clock.h"

#include "base/manual_clock.h"
#include "base/real_clock.h"

#include <gtest/gtest.h>
#include <sys/sysinfo.h>
#include <time.h>

namespace belfry {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

// Seconds since boot, counted through suspend; not read by the call under test.
double uptime_seconds() {
  struct sysinfo info{};
  EXPECT_EQ(::sysinfo(&info), 0);
  return static_cast<double>(info.uptime);
}

TEST(RealClockTest, WallShowsUnixTime) {
  const RealClock clock;
  const auto before = static_cast<std::int64_t>(::time(nullptr));
  const std::int64_t now = floor_unix_seconds(clock.wall_now());
  const auto after = static_cast<std::int64_t>(::time(nullptr));
  EXPECT_GE(now, before);
  EXPECT_LE(now, after + 1);  // time(2) reads a coarser clock, which may lag
}

TEST(RealClockTest, BootShowsTheUptimeAndNeverGoesBack) {
  const RealClock clock;
  const double before = uptime_seconds();
  BootInstant last = clock.boot_now();
  const double after = uptime_seconds();
  const double shown = static_cast<double>(last.micros()) / 1e6;
  EXPECT_GE(shown, before - 1);  // which is rounded to seconds
  EXPECT_LE(shown, after + 1);
  for (int i = 0; i < 1'000; ++i) {
    const BootInstant now = clock.boot_now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(ManualClockTest, StandsStillUntilMoved) {
  const ManualClock clock(from_unix_seconds(100), BootInstant::from_micros(7));
  EXPECT_EQ(clock.wall_now(), from_unix_seconds(100));
  EXPECT_EQ(clock.wall_now(), from_unix_seconds(100));
  EXPECT_EQ(clock.boot_now(), BootInstant::from_micros(7));
}

TEST(ManualClockTest, AdvancingMovesBoth) {
  ManualClock clock(from_unix_seconds(100));
  clock.advance(seconds(3));
  EXPECT_EQ(clock.wall_now(), from_unix_seconds(103));
  EXPECT_EQ(clock.boot_now(), BootInstant(seconds(3)));
}

TEST(ManualClockTest, SettingOneLeavesTheOther) {
  ManualClock clock(from_unix_seconds(100), BootInstant(hours(1)));
  clock.set_wall(from_unix_seconds(50));
  EXPECT_EQ(clock.boot_now(), BootInstant(hours(1)));
  clock.set_boot(BootInstant(hours(2)));
  EXPECT_EQ(clock.wall_now(), from_unix_seconds(50));
  EXPECT_EQ(clock.boot_now(), BootInstant(hours(2)));
}

}  // namespace
}  // namespace belfry
