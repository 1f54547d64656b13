#include "base/error.h"

#include <gtest/gtest.h>

namespace belfry {
namespace {

TEST(ErrorTest, SaysFieldReasonAndRemedy) {
  const Error error{.code = Errc::kInvalid,
                    .message = "`MOM` is not a weekday",
                    .field = "day-of-week",
                    .hint = "did you mean `MON`?"};
  EXPECT_EQ(to_string(error), "day-of-week: `MOM` is not a weekday; did you mean `MON`?");
}

TEST(ErrorTest, PointsAtTheSpan) {
  const Error error{.message = "x", .span = TextSpan{8, 3}};
  EXPECT_EQ(point_at("0 9 * * MOM", error), "0 9 * * MOM\n        ^^^");
}

TEST(ErrorTest, PointsPastTheEndWhereSomethingIsMissing) {
  const Error error{.message = "x", .span = TextSpan{2, 0}};
  EXPECT_EQ(point_at("5-", error), "5-\n  ^");
}

TEST(ErrorTest, CountsCharactersNotBytesAndShowsTabsAsBlanks) {
  const Error error{.message = "x", .span = TextSpan{3, 2}};
  EXPECT_EQ(point_at("é\té *", error), "é é *\n  ^");
}

TEST(ErrorTest, PointsNowhereWithoutASpan) {
  EXPECT_EQ(point_at("* * * *", Error{.message = "x"}), "");
}

}  // namespace
}  // namespace belfry
