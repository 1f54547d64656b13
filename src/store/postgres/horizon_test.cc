#include "store/postgres/horizon.h"

#include <gtest/gtest.h>

namespace belfry::store::postgres {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_seconds(1'800'000'000);
constexpr BootInstant kAt = BootInstant() + seconds(100);

Horizon::Report wading() {
  return {.at = kAt, .took = milliseconds(300), .now = kNow, .oldest = std::nullopt};
}

TEST(HorizonTest, IsNoneBeforeAnyReport) {
  const Horizon horizon;
  EXPECT_FALSE(horizon.since(kAt));
}

TEST(HorizonTest, IsNoneWhileLookingIsQuick) {
  Horizon horizon;
  Horizon::Report report = wading();
  report.took = Duration(300);
  horizon.report(report);
  EXPECT_FALSE(horizon.since(kAt));
}

TEST(HorizonTest, KeepsAMarginForCommitsUnderWay) {
  Horizon horizon;
  horizon.report(wading());
  EXPECT_EQ(horizon.since(kAt), kNow - seconds(2));
}

TEST(HorizonTest, HidesNobodyWhoWaits) {
  Horizon horizon;
  horizon.report(wading());
  Horizon::Report report = wading();
  report.oldest = kNow - seconds(3);
  horizon.report(report);
  EXPECT_FALSE(horizon.since(kAt));
}

TEST(HorizonTest, EndsWithoutFreshReports) {
  Horizon horizon;
  horizon.report(wading());
  EXPECT_TRUE(horizon.since(kAt + seconds(7)));
  EXPECT_FALSE(horizon.since(kAt + seconds(8)));
}

TEST(HorizonTest, LooksForATenthOfTheTime) {
  Horizon horizon;
  EXPECT_TRUE(horizon.wants_report(kAt));
  horizon.report(wading());
  EXPECT_FALSE(horizon.wants_report(kAt + seconds(2)));
  EXPECT_TRUE(horizon.wants_report(kAt + seconds(3)));
}

}  // namespace
}  // namespace belfry::store::postgres
