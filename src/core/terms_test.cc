#include "core/terms.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

namespace belfry::core {
namespace {

JobDefinition nightly() {
  JobDefinition definition;
  definition.name = "nightly";
  definition.schedule.cron_expression = "0 2 * * *";
  definition.schedule.timezone = "Europe/Berlin";
  return definition;
}

// Databases hold these numbers: another digest, order or spelling, and every job is read whole.
TEST(TermsTest, AreTheSameInEveryVersion) {
  EXPECT_EQ(to_hex(*terms_of(nightly())), "ffbf8d0834f183b8a2f89091423d3aed");
}

TEST(TermsTest, WhatDecidesNoTickIsNoPartOfThem) {
  JobDefinition other = nightly();
  other.name = "daily";
  other.job_type = "mail";
  other.payload = "1";
  other.policies.priority = 7;
  other.policies.max_attempts = 9;
  EXPECT_EQ(terms_of(other), terms_of(nightly()));
}

TEST(TermsTest, WhateverDecidesATickMakesOthers) {
  const std::vector<std::function<void(JobDefinition&)>> changes{
      [](JobDefinition&) {},
      [](JobDefinition& job) { job.schedule.cron_expression = "0 3 * * *"; },
      [](JobDefinition& job) { job.schedule.timezone = "UTC"; },
      [](JobDefinition& job) { job.schedule.dialect = Dialect::kQuartz; },
      [](JobDefinition& job) { job.schedule.dst_gap = DstGap::kSkip; },
      [](JobDefinition& job) { job.schedule.dst_overlap = DstOverlap::kBoth; },
      [](JobDefinition& job) { job.schedule.type = ScheduleSpec::Type::kEvery; },
      [](JobDefinition& job) {
        job.schedule.type = ScheduleSpec::Type::kEvery;
        job.schedule.every = std::chrono::minutes(1);
      },
      [](JobDefinition& job) { job.policies.overlap = OverlapPolicy::kReplace; },
      [](JobDefinition& job) { job.policies.misfire = MisfirePolicy::kSkip; },
      [](JobDefinition& job) { job.policies.misfire_grace = std::chrono::hours(2); },
      [](JobDefinition& job) { job.policies.max_missed_firings = 7; },
      [](JobDefinition& job) { job.schedule.type = ScheduleSpec::Type::kOnce; },
  };
  std::set<Terms> seen;
  for (const auto& change : changes) {
    JobDefinition job = nightly();
    change(job);
    ASSERT_TRUE(terms_of(job));
    seen.insert(*terms_of(job));
  }
  EXPECT_EQ(seen.size(), changes.size());
}

TEST(TermsTest, AJobThatTicksByItselfHasNone) {
  const std::vector<std::function<void(JobDefinition&)>> changes{
      [](JobDefinition& job) { job.schedule.cron_expression = "H 2 * * *"; },
      [](JobDefinition& job) { job.schedule.cron_expression = "0,h/20 2 * * THU"; },
      [](JobDefinition& job) { job.schedule.jitter = std::chrono::minutes(5); },
      [](JobDefinition& job) { job.schedule.start_at = Instant(); },
      [](JobDefinition& job) { job.schedule.end_at = Instant(); },
      [](JobDefinition& job) { job.schedule.calendar_name = "holidays"; },
  };
  for (const auto& change : changes) {
    JobDefinition job = nightly();
    change(job);
    EXPECT_FALSE(terms_of(job));
  }
}

TEST(TermsTest, AnHInAWordDrawsNothing) {
  for (const char* expression : {"0 2 * * THU", "0 2 * * thu-sat", "@hourly"}) {
    JobDefinition job = nightly();
    job.schedule.cron_expression = expression;
    EXPECT_TRUE(terms_of(job)) << expression;
  }
}

TEST(TermsTest, OneInstantCanBeReadFromThem) {
  JobDefinition job = nightly();
  EXPECT_FALSE(once_at(*terms_of(job)));
  job.schedule.type = ScheduleSpec::Type::kOnce;
  job.schedule.run_at = Instant::from_micros(1'800'000'000'123'456);
  EXPECT_EQ(once_at(*terms_of(job)), job.schedule.run_at);
}

}  // namespace
}  // namespace belfry::core
