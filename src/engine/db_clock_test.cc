#include "engine/db_clock.h"

#include "base/manual_clock.h"

#include <gtest/gtest.h>

namespace belfry::engine {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Instant kDatabase = from_unix_seconds(1'800'000'000);

class DbClockTest : public testing::Test {
 protected:
  // The wall clock is hours wrong, and nobody may notice.
  DbClockTest() : clock_(kDatabase + hours(5), BootInstant(hours(100))), db_clock_(clock_) {}

  Instant true_now() const {
    return kDatabase + (clock_.boot_now() - BootInstant(hours(100))) + step_;
  }
  // Asks the database; it reads its clock somewhere within the round trip.
  void ask(Duration before_reading, Duration after_reading) {
    const BootInstant asked = clock_.boot_now();
    clock_.advance(before_reading);
    const Instant reading = true_now();
    clock_.advance(after_reading);
    db_clock_.observe(asked, reading, clock_.boot_now());
  }

  ManualClock clock_;
  DbClock db_clock_;
  Duration step_{};
};

TEST_F(DbClockTest, KnowsNothingBeforeTheFirstReading) {
  EXPECT_EQ(db_clock_.now(), std::nullopt);
}

TEST_F(DbClockTest, IsNeverAheadAndAtMostAReplyBehind) {
  for (int i = 0; i < 50; ++i) {
    ask(milliseconds(i % 7), milliseconds(1 + i % 5));
    clock_.advance(milliseconds(900));
    ASSERT_LE(*db_clock_.now(), true_now());
    ASSERT_GE(*db_clock_.now(), true_now() - milliseconds(5));
  }
}

// Its clock gains 50 ms a second: an old reading says more and more too much.
TEST_F(DbClockTest, ABootClockThatRunsFastDoesNotRunAwayWithAnOldReading) {
  for (int i = 0; i < 20; ++i) {
    ask(milliseconds(1), milliseconds(1));
    clock_.advance(seconds(1));
    step_ -= milliseconds(50);
    ASSERT_LE(*db_clock_.now(), true_now() + milliseconds(60));
  }
}

TEST_F(DbClockTest, FollowsAStepBackAtOnce) {
  ask(milliseconds(1), milliseconds(1));
  step_ = -Duration(minutes(3));
  ask(milliseconds(1), milliseconds(1));
  EXPECT_LE(*db_clock_.now(), true_now());
}

TEST_F(DbClockTest, DoesNotBelieveAStepForwardUntilItHasLastedForTwoMinutes) {
  ask(milliseconds(1), milliseconds(1));
  step_ = hours(1);
  // However often it asks.
  for (Duration waited{}; waited < minutes(2); waited += milliseconds(100)) {
    ask(Duration(0), Duration(0));
    ASSERT_TRUE(db_clock_.stepped());
    ASSERT_LT(*db_clock_.now(), true_now() - minutes(59));
    clock_.advance(milliseconds(100));
  }
  ask(Duration(0), Duration(0));
  EXPECT_FALSE(db_clock_.stepped());
  EXPECT_GE(*db_clock_.now(), true_now() - milliseconds(5));
}

// Its clock gains 50 ms a second: six seconds in the time that it takes to be sure.
TEST_F(DbClockTest, AStepForwardIsConfirmedAlsoWhereTheClocksRunDifferently) {
  ask(milliseconds(1), milliseconds(1));
  step_ = hours(1);
  for (int i = 0; i <= 121; ++i) {
    ask(milliseconds(1), milliseconds(1));
    clock_.advance(seconds(1));
    step_ -= milliseconds(50);
  }
  EXPECT_FALSE(db_clock_.stepped());
  EXPECT_GE(*db_clock_.now(), true_now() - milliseconds(5));
}

TEST_F(DbClockTest, AStepThatStepsAgainIsDoubtedAnew) {
  ask(milliseconds(1), milliseconds(1));
  step_ = hours(1);
  ask(milliseconds(1), milliseconds(1));
  clock_.advance(minutes(1));
  step_ = hours(2);
  ask(milliseconds(1), milliseconds(1));
  clock_.advance(seconds(90));
  ask(milliseconds(1), milliseconds(1));
  EXPECT_TRUE(db_clock_.stepped());
  EXPECT_LT(*db_clock_.now(), true_now() - minutes(119));
}

TEST_F(DbClockTest, ForgetsAStepThatWentAway) {
  ask(milliseconds(1), milliseconds(1));
  step_ = hours(1);
  ask(milliseconds(1), milliseconds(1));
  EXPECT_TRUE(db_clock_.stepped());
  step_ = Duration(0);
  ask(milliseconds(1), milliseconds(1));
  EXPECT_FALSE(db_clock_.stepped());
  EXPECT_LE(*db_clock_.now(), true_now());
}

TEST_F(DbClockTest, FollowsASlowerDatabase) {
  for (int i = 0; i < 100; ++i) {
    ask(milliseconds(1), milliseconds(1));
    clock_.advance(seconds(1));
    step_ -= milliseconds(1);                                    // it loses a millisecond a second
    ASSERT_LE(*db_clock_.now(), true_now() + milliseconds(12));  // what eight readings can hide
  }
}

}  // namespace
}  // namespace belfry::engine
