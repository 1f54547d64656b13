#include "service/access/sign_in_links.h"

#include "base/manual_clock.h"

#include <gtest/gtest.h>

#include <set>

namespace belfry::service {
namespace {

using namespace std::chrono_literals;

class SignInLinksTest : public testing::Test {
 protected:
  ManualClock clock_;
  SignInLinks links_{clock_, "bfo_token"};
};

TEST_F(SignInLinksTest, ALinkPassesOnWhatItsMakerShowed) {
  EXPECT_EQ(links_.redeem(*links_.draw("Bearer bf_key")), "Bearer bf_key");
}

TEST_F(SignInLinksTest, WithoutAKeyItIsTheOwnersToken) {
  EXPECT_EQ(links_.redeem(*links_.draw({})), "Bearer bfo_token");
}

TEST_F(SignInLinksTest, WhereNobodyIsTheOwnerALinkNeedsAKey) {
  SignInLinks links(clock_, "");
  EXPECT_EQ(links.draw({}), std::nullopt);
  EXPECT_TRUE(links.draw("Bearer bf_key"));
}

TEST_F(SignInLinksTest, ALinkIsGoodOnce) {
  const std::string code = *links_.draw({});
  EXPECT_TRUE(links_.redeem(code));
  EXPECT_EQ(links_.redeem(code), std::nullopt);
}

TEST_F(SignInLinksTest, AnOldLinkIsVoid) {
  const std::string code = *links_.draw({});
  const std::string other = *links_.draw({});
  clock_.advance(SignInLinks::kGoodFor - 1us);
  EXPECT_TRUE(links_.redeem(code));
  clock_.advance(1us);
  EXPECT_EQ(links_.redeem(other), std::nullopt);
}

TEST_F(SignInLinksTest, AWallClockThatIsSetBackMakesNoLinkLast) {
  const std::string code = *links_.draw({});
  clock_.advance(SignInLinks::kGoodFor);
  clock_.set_wall(clock_.wall_now() - 24h);
  EXPECT_EQ(links_.redeem(code), std::nullopt);
}

TEST_F(SignInLinksTest, AGuessIsNoLink) {
  links_.draw({});
  EXPECT_EQ(links_.redeem(""), std::nullopt);
  EXPECT_EQ(links_.redeem("guess"), std::nullopt);
}

TEST_F(SignInLinksTest, ThereIsRoomForSoMany) {
  const std::string first = *links_.draw({});
  std::set<std::string> codes;
  for (std::size_t i = 0; i < SignInLinks::kMost; ++i) {
    clock_.advance(1ms);
    codes.insert(*links_.draw({}));
  }
  EXPECT_EQ(codes.size(), SignInLinks::kMost);
  EXPECT_EQ(links_.redeem(first), std::nullopt);
  EXPECT_TRUE(links_.redeem(*codes.begin()));
}

}  // namespace
}  // namespace belfry::service
