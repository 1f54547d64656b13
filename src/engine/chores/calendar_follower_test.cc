#include "engine/chores/calendar_follower.h"

#include "base/manual_clock.h"
#include "core/misfire.h"
#include "core/schedule/schedule_cache.h"
#include "store/sqlite/sqlite_store.h"

#include <gtest/gtest.h>

namespace belfry::engine {
namespace {

using std::chrono::minutes;

constexpr Instant kStart = from_unix_seconds(1'800'000'000);  // 2027-01-15T08:00:00Z, a Friday
constexpr TenantId kTenant{1};

class CalendarFollowerTest : public testing::Test {
 protected:
  std::unique_ptr<store::Store> open() {
    return std::move(
        *store::open_sqlite({.path = ":memory:", .now = [this] { return clock_.wall_now(); }}));
  }
  void put(const std::vector<std::string>& rules) {
    EXPECT_TRUE(store_->put_calendar(kTenant, "closed", rules, {}));
  }
  JobId add(const std::string& name) {
    store::JobStore::NewJob job{.tenant = kTenant, .region = RegionNo(0)};
    job.definition.name = name;
    job.definition.schedule.cron_expression = "* * * * *";
    job.definition.schedule.calendar_name = "closed";
    return store_->create_jobs({&job, 1})->at(0).id;
  }
  // As the owner of the partition gets it.
  store::JobRow loaded(JobId id) {
    const auto partition = store_->load_partition(partition_of(id));
    for (const store::JobRow& job : partition->jobs) {
      if (job.id == id) return job;
    }
    ADD_FAILURE() << "not loaded";
    return {};
  }
  Result<core::Schedule> schedule_of(const store::JobRow& job) {
    return schedules_.of(job.tenant, job.definition.name, job.definition.schedule);
  }
  // What the owner would do with the ticks of the next ten minutes.
  core::Fates decide(JobId id) {
    const store::JobRow job = loaded(id);
    const auto schedule = schedule_of(job);
    EXPECT_TRUE(schedule);
    const Instant now = clock_.wall_now();
    const Instant then = now + minutes(10);
    return core::decide_job(store::facts_of(job), *schedule,
                            {.after = now, .through = then, .now = then});
  }

  ManualClock clock_{kStart};
  std::unique_ptr<store::Store> store_ = open();
  core::ZoneCatalog zones_;
  core::ScheduleCache schedules_{zones_};
  CalendarFollower follower_{*store_, *store_};
};

TEST_F(CalendarFollowerTest, AJobIsScheduledByItsCalendar) {
  put({"2027-01-15"});
  const JobId job = add("a");
  const core::Fates closed = decide(job);
  EXPECT_TRUE(closed.runs.empty());
  ASSERT_EQ(closed.skips.size(), 1U);
  EXPECT_EQ(closed.skips[0].reason, core::SkipReason::kCalendar);
  EXPECT_EQ(closed.skips[0].count, 10);
}

TEST_F(CalendarFollowerTest, JobsOfOneCalendarShareTheirRhythm) {
  put({"2027-01-15"});
  const auto first = schedule_of(loaded(add("a")));
  const auto second = schedule_of(loaded(add("b")));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->rhythm().options().calendar, second->rhythm().options().calendar);
}

TEST_F(CalendarFollowerTest, AChangedCalendarReachesItsJobsAndSettlesWhatWasDue) {
  put({"2027-01-15"});
  const JobId first = add("a");
  const JobId second = add("b");
  EXPECT_EQ(*follower_.run_once(10), 0U);
  clock_.advance(minutes(3));
  put({"SUN"});
  EXPECT_EQ(*follower_.run_once(1), 1U);
  EXPECT_EQ(*follower_.run_once(10), 1U);
  EXPECT_EQ(*follower_.run_once(10), 0U);
  for (const JobId job : {first, second}) {
    EXPECT_EQ(loaded(job).definition.schedule.calendar_rules, "SUN");
    EXPECT_EQ(loaded(job).effective_from, clock_.wall_now());
    EXPECT_TRUE(store_->runs_of(job)->empty());
    const auto skips = *store_->skips_of(job);
    ASSERT_EQ(skips.size(), 1U) << "three ticks were due under the old rules";
    EXPECT_EQ(skips[0].count, 3);
    EXPECT_EQ(skips[0].reason, core::SkipReason::kCalendar);
    EXPECT_FALSE(decide(job).runs.empty());
  }
}

}  // namespace
}  // namespace belfry::engine
