// The small parts of the API: ids, cursors, routes, limits, events as text.
#include "api/events/event_hub.h"
#include "api/frame/paging.h"
#include "api/frame/router.h"
#include "base/manual_clock.h"
#include "core/id_text.h"
#include "service/access/rate_limit.h"

#include <gtest/gtest.h>

namespace belfry::api {
namespace {

using namespace std::chrono_literals;

TEST(IdsTextTest, ARunBeginsWithItsJob) {
  const core::RunRef run{JobId(0x12ab), core::RunKey(-7)};
  EXPECT_EQ(core::write_job_id(run.job), "00000000000012ab");
  EXPECT_EQ(core::write_run_id(run), "00000000000012abfffffffffffffff9");
  EXPECT_EQ(core::read_run_id(core::write_run_id(run)), run);
  EXPECT_EQ(core::read_job_id("00000000000012ab"), run.job);
  for (const char* wrong :
       {"", "12ab", "00000000000012AB", "00000000000012ag", "ffffffffffffffff"}) {
    EXPECT_FALSE(core::read_job_id(wrong)) << wrong;
  }
}

net::Request get(std::vector<std::string> segments, std::vector<net::Parameter> query = {}) {
  net::Request request{.method = "GET", .segments = std::move(segments)};
  request.query = std::move(query);
  return request;
}

TEST(PagingTest, ACursorBelongsToItsFilter) {
  const std::string cursor = write_cursor("a b/ü", "status=PAUSED");
  std::vector<Complaint> complaints;
  const auto request = get({}, {{"cursor", cursor}, {"limit", "7"}});
  const Page page = read_page(request, "status=PAUSED", complaints);
  EXPECT_TRUE(complaints.empty());
  EXPECT_EQ(page.cursor, "a b/ü");
  EXPECT_EQ(page.limit, 7U);
  read_page(request, "status=ACTIVE", complaints);
  EXPECT_EQ(complaints.at(0).pointer, "?cursor");
  EXPECT_TRUE(write_cursor(std::nullopt, "x").is_null());
}

TEST(PagingTest, TheLimitHasLimits) {
  for (const char* wrong : {"0", "-1", "1001", "x", "5x", "99999999999999999999"}) {
    std::vector<Complaint> complaints;
    read_page(get({}, {{"limit", wrong}}), "", complaints);
    EXPECT_EQ(complaints.size(), 1U) << wrong;
  }
}

TEST(RouterTest, FindsTheRouteAndTheVariables) {
  const Router router({{"GET", "/jobs/{job}", Access::kRead, {}},
                       {"PUT", "/jobs/{job}", Access::kOperate, {}},
                       {"POST", "/jobs:batch", Access::kOperate, {}}});
  const auto found = router.match(get({"jobs", "name:a/b"}));
  ASSERT_NE(found.route, nullptr);
  EXPECT_EQ(found.path.at("job"), "name:a/b");
  const auto head = [] {
    net::Request request = get({"jobs", "x"});
    request.method = "HEAD";
    return request;
  };
  EXPECT_NE(router.match(head()).route, nullptr);
  EXPECT_EQ(router.match(get({"jobs:batch"})).allowed, "POST");
  EXPECT_EQ(router.match(get({"jobs:batch"})).route, nullptr);
  EXPECT_EQ(router.match(get({"jobs"})).allowed, "");
}

TEST(RateLimiterTest, TellsWhatIsLeft) {
  ManualClock clock;
  service::RateLimiter limiter(clock);
  EXPECT_EQ(limiter.take("a", 4).remaining, 3U);
  const auto second = limiter.take("a", 4);
  EXPECT_EQ(second.remaining, 2U);
  EXPECT_GT(second.reset, 490ms);
  EXPECT_LT(second.reset, 510ms);
}

TEST(RateLimiterTest, LetsThroughASecondsWorth) {
  ManualClock clock;
  service::RateLimiter limiter(clock);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.take("a", 3).allowed);
  const auto refused = limiter.take("a", 3);
  EXPECT_FALSE(refused.allowed);
  EXPECT_GT(refused.wait, 300ms);
  EXPECT_GT(refused.reset, 990ms);
  EXPECT_TRUE(limiter.take("b", 3).allowed);
  EXPECT_TRUE(limiter.take("a", 0).allowed);
  clock.advance(400ms);
  EXPECT_TRUE(limiter.take("a", 3).allowed);
  EXPECT_FALSE(limiter.take("a", 3).allowed);
}

TEST(EventTextTest, EventsArePutTogether) {
  const core::RunRef run{JobId(1), core::RunKey(2)};
  std::vector<store::Event> events(3);
  events[0] = {.id = {5, 1}, .count = 1, .runs = {{run, core::RunState::kReady}}};
  events[1] = {.id = {5, 2}, .count = 40, .jobs = {{JobId(1), 3, core::JobStatus::kPaused}}};
  events[2] = {.id = {6, 1}, .count = 1, .runs = {{run, core::RunState::kRunning}}};
  const std::string text = write_events(events);
  EXPECT_EQ(text,
            "id: 5-2\nevent: jobs\ndata: {\"at\":\"1970-01-01T00:00:00Z\",\"count\":40,\"jobs\":"
            "[{\"job_id\":\"0000000000000001\",\"version\":3,\"status\":\"PAUSED\"}]}\n\n"
            "id: 6-1\nevent: runs\ndata: {\"at\":\"1970-01-01T00:00:00Z\",\"count\":2,\"runs\":"
            "[{\"run_id\":\"00000000000000010000000000000002\",\"state\":\"RUNNING\"}]}\n\n");
  EXPECT_EQ(write_events({}), "");
}

TEST(EventTextTest, IdsReadBack) {
  EXPECT_EQ(read_event_id("7021-88"), (store::EventId{7021, 88}));
  for (const char* wrong : {"", "7", "-", "7-", "-7", "7-8x", "7--8"}) {
    EXPECT_FALSE(read_event_id(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace belfry::api
