#include "store/postgres/runs/horizon.h"

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
  EXPECT_EQ(horizon.since(kAt), kNow - seconds(1));
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

bool is_whole(const std::optional<Horizon::Look>& look) {
  return look && !look->since;
}

TEST(HorizonTest, WadesForATenthOfTheTime) {
  Horizon horizon;
  EXPECT_TRUE(is_whole(horizon.next_look(kAt)));
  horizon.report(wading());
  EXPECT_FALSE(is_whole(horizon.next_look(kAt + seconds(2))));
  EXPECT_TRUE(is_whole(horizon.next_look(kAt + seconds(3))));
}

TEST(HorizonTest, MovesOnWithShortLooks) {
  Horizon horizon;
  horizon.report(wading());
  const auto look = horizon.next_look(kAt + seconds(1));
  ASSERT_TRUE(look);
  EXPECT_EQ(look->since, kNow - seconds(1));
  horizon.report({.look = *look, .at = kAt + seconds(1), .now = kNow + seconds(1)});
  EXPECT_EQ(horizon.since(kAt + seconds(1)), kNow);
  // Short looks do not keep it fresh: they, too, miss what was committed too late.
  EXPECT_FALSE(horizon.since(kAt + seconds(8)));
}

TEST(HorizonTest, AShortLookHidesNobodyWhoWaits) {
  Horizon horizon;
  horizon.report(wading());
  horizon.report({.look = {.since = kNow - seconds(1)},
                  .at = kAt + seconds(1),
                  .now = kNow + seconds(1),
                  .oldest = kNow - milliseconds(500)});
  EXPECT_FALSE(horizon.since(kAt + seconds(1)));
  EXPECT_FALSE(horizon.next_look(kAt + seconds(1)));  // wading again would be the load itself
}

}  // namespace
}  // namespace belfry::store::postgres
