#include "service/access/wrong_keys.h"

#include "base/manual_clock.h"

#include <gtest/gtest.h>

namespace belfry::service {
namespace {

using namespace std::chrono_literals;

class WrongKeysTest : public testing::Test {
 protected:
  void try_wrong(int times) {
    for (int i = 0; i < times; ++i) wrong_.note("10.0.0.7", "10.0.0.7");
  }

  ManualClock clock_;
  MetricRegistry metrics_;
  std::string logged_;
  Logger log_{clock_, [this](std::string_view line) { logged_ += line; }};
  WrongKeys wrong_{clock_, metrics_, log_};
};

TEST_F(WrongKeysTest, TenTriesAreFree) {
  try_wrong(9);
  EXPECT_EQ(wrong_.wait_of("10.0.0.7"), std::nullopt);
  try_wrong(1);
  EXPECT_TRUE(wrong_.wait_of("10.0.0.7"));
  EXPECT_LE(*wrong_.wait_of("10.0.0.7"), 6s + 1us);
}

TEST_F(WrongKeysTest, OthersDoNotWait) {
  try_wrong(50);
  EXPECT_EQ(wrong_.wait_of("10.0.0.8"), std::nullopt);
}

TEST_F(WrongKeysTest, AnotherTryComesEverySixSeconds) {
  try_wrong(50);
  clock_.advance(5s);
  EXPECT_TRUE(wrong_.wait_of("10.0.0.7"));
  clock_.advance(1s);
  EXPECT_EQ(wrong_.wait_of("10.0.0.7"), std::nullopt);
  try_wrong(1);
  EXPECT_TRUE(wrong_.wait_of("10.0.0.7"));
}

TEST_F(WrongKeysTest, EachIsCountedAndLogged) {
  try_wrong(3);
  EXPECT_NE(metrics_.text().find("belfry_wrong_keys_total 3"), std::string::npos);
  EXPECT_NE(logged_.find("wrong_key address=10.0.0.7"), std::string::npos);
}

}  // namespace
}  // namespace belfry::service
