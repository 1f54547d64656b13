#include "core/job_type.h"

#include "base/rng.h"

#include <gtest/gtest.h>

#include <deque>

namespace belfry::core {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNow = from_unix_seconds(1'800'000'000);

TypeLimits rate(std::string_view text) {
  TypeLimits limits;
  EXPECT_TRUE(read_rate(text, limits)) << text;
  return limits;
}

TEST(JobTypeTest, ReadsRatesAsTheyAreWritten) {
  EXPECT_EQ(rate("100/s").starts, 100);
  EXPECT_EQ(rate("100/s").burst, 100) << "what a second brings";
  EXPECT_EQ(rate("5/m").per, Duration(1min));
  EXPECT_EQ(rate("5/m").burst, 1) << "at least one";
  EXPECT_EQ(rate("7200/h").burst, 2);
  for (const char* text : {"100/s", "5/m", "1/h"}) EXPECT_EQ(write_rate(rate(text)), text);
  for (const char* text : {"", "5", "5/", "/s", "0/s", "-1/s", "5/d", "5 /s", "5/s ", "1.5/s",
                           "1000001/s", "99999999999/s"}) {
    TypeLimits limits;
    EXPECT_FALSE(read_rate(text, limits)) << text;
  }
}

TEST(JobTypeTest, ABurstMayStartAtOnceAndThenOneAtATime) {
  TypeLimits limits = rate("10/s");
  limits.burst = 3;
  EXPECT_EQ(room_by_rate(limits, {}, kNow), 3);
  const Instant paid = pay_for(limits, {}, kNow, 3);
  EXPECT_EQ(room_by_rate(limits, paid, kNow), 0);
  EXPECT_EQ(room_by_rate(limits, paid, kNow + 99ms), 0);
  EXPECT_EQ(room_by_rate(limits, paid, kNow + 100ms), 1);
  EXPECT_EQ(room_by_rate(limits, paid, kNow + 1h), 3) << "nobody saves up more than a burst";
}

TEST(JobTypeTest, AClockThatIsSetBackStopsNobody) {
  const TypeLimits limits = rate("1/m");
  const Instant paid = pay_for(limits, {}, kNow, 1);
  EXPECT_EQ(room_by_rate(limits, paid, kNow), 0);
  EXPECT_EQ(room_by_rate(limits, paid, kNow - 1h), 1);
  EXPECT_EQ(pay_for(limits, paid, kNow - 1h, 1), kNow - 1h + 1min);
}

// In no window do more start than the rate and one burst allow, and whoever asks often enough gets
// all of it.
TEST(JobTypeTest, TheRateHoldsInEveryWindow) {
  Rng rng(16);
  for (int round = 0; round < 200; ++round) {
    TypeLimits limits;
    limits.starts = 1 + static_cast<std::int32_t>(rng.below(500));
    limits.per = rng.chance(0.5) ? Duration(1s) : Duration(1min);
    limits.burst = least_burst(limits) + static_cast<std::int32_t>(rng.below(20));
    std::optional<Instant> paid;
    std::deque<Instant> starts;
    Instant now = kNow;
    while (now < kNow + 20s) {
      const std::int64_t room = room_by_rate(limits, paid, now);
      const auto count = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(room) + 1));
      if (count > 0) paid = pay_for(limits, paid, now, count);
      starts.insert(starts.end(), static_cast<std::size_t>(count), now);
      now = now + rng.up_to(100ms);
    }
    for (std::size_t first = 0; first < starts.size(); first += 7) {
      for (std::size_t last = first; last < starts.size(); last += 13) {
        const auto window = (starts[last] - starts[first]).count();
        const auto allowed = limits.burst + window * limits.starts / limits.per.count() + 1;
        ASSERT_LE(last - first + 1, static_cast<std::size_t>(allowed))
            << write_rate(limits) << " burst " << limits.burst;
      }
    }
    std::int64_t all = 0;
    paid.reset();
    for (now = kNow; now < kNow + 60s;) {
      const std::int64_t room = room_by_rate(limits, paid, now);
      if (room > 0) paid = pay_for(limits, paid, now, room);
      all += room;
      now = now + (room > 0 ? Duration(1ms) : wait_for_room(limits));
    }
    EXPECT_GE(all, Duration(48s).count() * limits.starts / limits.per.count())
        << write_rate(limits) << " burst " << limits.burst;
  }
}

TEST(JobTypeTest, DefaultsHoldWhereTheyAreSaid) {
  JobPolicies policies;
  apply_defaults({.max_attempts = 7, .start_within = 90s}, policies);
  EXPECT_EQ(policies.max_attempts, 7);
  EXPECT_EQ(policies.start_within, Duration(90s));
  EXPECT_EQ(policies.timeout, JobPolicies().timeout);
  EXPECT_EQ(policies.misfire_grace, JobPolicies().misfire_grace);
}

}  // namespace
}  // namespace belfry::core
