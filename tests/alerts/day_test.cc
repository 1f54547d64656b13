#include "tests/alerts/day.h"

#include "tests/alerts/saboteur.h"

#include <gtest/gtest.h>

namespace belfry::alert_day {
namespace {

std::string first_of(const std::vector<std::string>& violations) {
  std::string text = std::to_string(violations.size()) + " violations";
  for (std::size_t i = 0; i < std::min<std::size_t>(40, violations.size()); ++i) {
    text += "\n  " + violations[i];
  }
  return text;
}

TEST(AlertDay, EachAlertIsToldOnceAndNoOther) {
  const Outcome day = live_through({});
  EXPECT_TRUE(day.violations.empty()) << first_of(day.violations);
  std::printf(
      "%zu runs, %zu of them failed; %zu looks, %zu lost, %zu refused; %zu news, "
      "%zu kept back; %zu messages came again, %zu reports came too late\n",
      day.runs, day.failures, day.looks, day.lost, day.refused, day.news, day.kept_back,
      day.repeated, day.stale_ends);
  EXPECT_GT(day.runs, 15'000U);
  EXPECT_GT(day.failures, 1'000U);
  EXPECT_GT(day.news, 2'000U);
  EXPECT_GT(day.kept_back, 50U);
  EXPECT_GT(day.lost, 100U);
  EXPECT_GT(day.refused, 50U);
  EXPECT_GT(day.repeated, 20U);
  EXPECT_GT(day.stale_ends, 20U);
}

class Sabotage : public testing::TestWithParam<Saboteur::Trick> {};

const Plan kShortDay{.seed = 2, .jobs = 300, .minutes = 8 * 60, .sabotage = "none"};

TEST(AlertDay, AShortDayIsFineUnlessItIsSabotaged) {
  const Outcome day = live_through(kShortDay);
  EXPECT_TRUE(day.violations.empty()) << first_of(day.violations);
}

TEST_P(Sabotage, IsNoticed) {
  Plan plan = kShortDay;
  plan.sabotage = GetParam().name;
  EXPECT_FALSE(live_through(plan).violations.empty()) << GetParam().stands_for;
}

INSTANTIATE_TEST_SUITE_P(AlertDay, Sabotage, testing::ValuesIn(Saboteur::tricks()),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace belfry::alert_day
