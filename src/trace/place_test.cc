#include "trace/place.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace belfry::trace {
namespace {

std::string run_no(int number) {
  std::string text = std::to_string(number);
  return std::string(32 - text.size(), '0') + text;
}

TEST(PlaceTest, IsWorkedOutFromTheRunAlone) {
  const Place attempt = place_of(run_no(1), Step::kAttempt, Fence(7), 1);
  EXPECT_EQ(attempt, place_of(run_no(1), Step::kAttempt, Fence(7), 1));
  // The first half of SHA-256 of the id, as receivers of webhooks know it from 0.1 on.
  EXPECT_EQ(write_traceparent(attempt), "00-e0cca2965509df678c8064f5e0b90760-0000000000000007-01");
}

TEST(PlaceTest, StepsAndAttemptsOfARunShareItsTraceOnly) {
  std::set<SpanId> spans;
  const TraceId trace = place_of(run_no(1), Step::kTick, {}, 1).trace;
  for (const Step step : {Step::kAttempt, Step::kTick, Step::kDecide, Step::kClaim, Step::kDelivery,
                          Step::kTrigger}) {
    for (const std::uint64_t fence : {std::uint64_t{1}, std::uint64_t{1} << 50}) {
      const Place place = place_of(run_no(1), step, Fence(fence), 1);
      EXPECT_EQ(place.trace, trace);
      EXPECT_TRUE(spans.insert(place.span).second);
    }
  }
  EXPECT_NE(place_of(run_no(2), Step::kTick, {}, 1).trace, trace);
}

TEST(PlaceTest, SamplesTheRatioAndTheSameRunsAtAHigherOne) {
  int few = 0;
  for (int i = 0; i < 2'000; ++i) {
    const bool at_few = place_of(run_no(i), Step::kTick, {}, 0.1).is_sampled;
    few += at_few ? 1 : 0;
    EXPECT_FALSE(place_of(run_no(i), Step::kTick, {}, 0).is_sampled);
    EXPECT_TRUE(place_of(run_no(i), Step::kTick, {}, 1).is_sampled);
    EXPECT_TRUE(!at_few || place_of(run_no(i), Step::kClaim, Fence(3), 0.5).is_sampled);
  }
  EXPECT_GT(few, 140);
  EXPECT_LT(few, 260);
}

TEST(TraceparentTest, IsReadAsItIsWritten) {
  for (const bool is_sampled : {true, false}) {
    Place place = place_of(run_no(3), Step::kDelivery, Fence(9), 1);
    place.is_sampled = is_sampled;
    EXPECT_EQ(read_traceparent(write_traceparent(place)), place);
  }
  // Other flags mean nothing to us; later versions may say more.
  const std::string known = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-";
  EXPECT_TRUE(read_traceparent("00-" + known + "03")->is_sampled);
  EXPECT_TRUE(read_traceparent("01-" + known + "01-more"));
}

TEST(TraceparentTest, AnythingElseIsNone) {
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const std::string span = "00f067aa0ba902b7";
  for (const std::string& text : {
           std::string(),
           "00-" + trace + "-" + span,
           "00-" + trace + "-" + span + "-01-more",
           "ff-" + trace + "-" + span + "-01",
           "00-" + std::string(32, '0') + "-" + span + "-01",
           "00-" + trace + "-" + std::string(16, '0') + "-01",
           "00-" + std::string(32, 'G') + "-" + span + "-01",
           "00_" + trace + "-" + span + "-01",
           "01-" + trace + "-" + span + "-01more",
       }) {
    EXPECT_FALSE(read_traceparent(text)) << text;
  }
}

}  // namespace
}  // namespace belfry::trace
