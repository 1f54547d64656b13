#include "service/jobs/job_changes.h"

#include "base/manual_clock.h"
#include "service/jobs/registrar.h"
#include "store/sqlite/sqlite_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace belfry::service {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart = from_unix_seconds(1'800'000'000);

// Remembers what it is told.
class Listener final : public engine::Observer {
 public:
  struct Told {
    store::Decisions decisions;
    std::size_t overlaps = 0;
    Instant at;
  };
  void decided(const store::Decisions& decisions, std::size_t overlaps, Instant at) override {
    told.push_back({decisions, overlaps, at});
  }

  std::vector<Told> told;
};

class JobChangesTest : public testing::Test {
 protected:
  static store::NewJob every_second(const std::string& name) {
    store::NewJob job{.tenant = TenantId(1), .region = RegionNo(0)};
    job.definition.name = name;
    job.definition.schedule.cron_expression = "* * * * * *";
    job.definition.policies.misfire = core::MisfirePolicy::kSkip;
    return job;
  }
  JobId add(const std::string& name) {
    const store::NewJob job = every_second(name);
    return store_->create_jobs({&job, 1})->at(0).id;
  }
  // Replaces by name.
  void put(std::vector<store::NewJob> jobs) {
    Registrar(*store_, listener_)
        .submit({.jobs = std::move(jobs), .replace = true},
                [](const auto& registered) { EXPECT_TRUE(registered); });
  }

  ManualClock clock_{kStart};
  std::unique_ptr<store::Store> store_ = std::move(
      *store::open_sqlite({.path = ":memory:", .now = [this] { return clock_.wall_now(); }}));
  Listener listener_;
};

TEST_F(JobChangesTest, TellsWhatAChangeHasSettled) {
  const JobId job = add("a");
  clock_.advance(15s);
  const auto paused =
      change_job(*store_, listener_, {.job = job, .status = core::JobStatus::kPaused});
  ASSERT_TRUE(paused);
  EXPECT_EQ(paused->status, core::JobStatus::kPaused);
  ASSERT_EQ(listener_.told.size(), 1U);
  const Listener::Told& told = listener_.told[0];
  EXPECT_EQ(told.at, clock_.wall_now());
  EXPECT_EQ(told.overlaps, 0U);
  ASSERT_EQ(told.decisions.runs.size(), 1U);  // the newest, for all
  EXPECT_EQ(told.decisions.runs[0].job, job);
  ASSERT_EQ(told.decisions.skips.size(), 1U);
  EXPECT_EQ(told.decisions.skips[0].job, job);
  EXPECT_EQ(told.decisions.skips[0].count, 14);
}

TEST_F(JobChangesTest, TellsNothingWhereNothingWasSettled) {
  const JobId job = add("a");
  EXPECT_TRUE(change_job(*store_, listener_, {.job = job, .status = core::JobStatus::kPaused}));
  clock_.advance(5s);
  const auto refused = change_job(*store_, listener_, {.job = job, .if_revision = 9});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kConflict);
  EXPECT_TRUE(listener_.told.empty());
}

TEST_F(JobChangesTest, TellsWhatARegistrationHasSettled) {
  const JobId job = add("replaced");
  add("unchanged");
  clock_.advance(5s);
  store::NewJob other = every_second("replaced");
  other.definition.schedule.cron_expression = "0 0 * * *";
  store::NewJob late = every_second("late");
  late.definition.schedule = {.type = core::ScheduleSpec::Type::kOnce,
                              .run_at = clock_.wall_now() - 1s};
  put({other, late, every_second("unchanged")});
  ASSERT_EQ(listener_.told.size(), 2U);
  EXPECT_EQ(listener_.told[0].decisions.runs.size(), 1U);
  EXPECT_EQ(listener_.told[0].decisions.runs.at(0).job, job);
  ASSERT_EQ(listener_.told[1].decisions.runs.size(), 1U);
  EXPECT_EQ(listener_.told[1].decisions.runs[0].tick, Tick(clock_.wall_now() - 1s));
}

}  // namespace
}  // namespace belfry::service
