#include "core/queue.h"
#include "tests/store/suite.h"

#include <gtest/gtest.h>

#include <set>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;

class JobTypesTest : public StoreTest {
 protected:
  JobTypesTest() { own_everything(); }

  JobType put(const std::string& name, const core::TypeLimits& limits,
              const core::TypeDefaults& defaults = {}) {
    return must(store().put_type(
        {.tenant = kMine, .name = name, .limits = limits, .defaults = defaults}, {}));
  }
  JobRow job_of(const std::string& type, TenantId owner = kMine, bool webhook = false) {
    JobStore::NewJob job = new_job("job" + std::to_string(++jobs_), OverlapPolicy::kAllow, owner);
    job.definition.job_type = type;
    if (webhook) job.definition.target = R"({"kind":"HTTP","url":"https://example.com/"})";
    return add(job);
  }
  // Runs that are ready now.
  void backlog(const JobRow& job, int count) {
    pass(1s);
    PartitionDecision made = decision(job.id, now());
    for (int i = count; i > 0; --i) {
      made.decisions.runs.push_back({job.id, Tick(now() - std::chrono::microseconds(i))});
    }
    ASSERT_EQ(decide(made).runs.size(), static_cast<std::size_t>(count));
  }
  static constexpr TenantId kMine{1};

 private:
  int jobs_ = 0;
};

TEST_P(JobTypesTest, AreKeptWithWhatWasSaid) {
  pass(1s);
  const JobType made = must(
      store().put_type({.tenant = kMine,
                        .name = "mail",
                        .limits = {.max_concurrent = 5, .starts = 100, .per = 1min, .burst = 7},
                        .defaults = {.max_attempts = 9, .timeout = 90s, .misfire_grace = 0s}},
                       {.actor = "ann"}));
  EXPECT_EQ(made.updated_at, now());
  EXPECT_EQ(made.updated_by, "ann");
  const JobType found = must(store().find_type(kMine, "mail"));
  EXPECT_EQ(found.limits, made.limits);
  EXPECT_EQ(found.limits.burst, 7);
  EXPECT_EQ(found.limits.per, Duration(1min));
  EXPECT_EQ(found.defaults, made.defaults);
  EXPECT_EQ(found.defaults.max_attempts, 9);
  EXPECT_EQ(found.defaults.start_within, std::nullopt);
  EXPECT_EQ(found.defaults.misfire_grace, Duration(0));

  put("a", {});
  put("z", {.max_concurrent = 1});
  const auto after = must(store().list_types(kMine, "a", 10));
  ASSERT_EQ(after.size(), 2U);
  EXPECT_EQ(after[0].name, "mail");
  EXPECT_EQ(after[1].name, "z");
  EXPECT_EQ(must(store().list_types(kMine, "", 1)).size(), 1U);
  const auto limited = must(store().limited_types());
  ASSERT_EQ(limited.size(), 2U) << "defaults are no limits";

  must(store().delete_type(kMine, "mail", {.actor = "ann"}));
  EXPECT_EQ(code_of(store().find_type(kMine, "mail")), Errc::kNotFound);
  EXPECT_EQ(code_of(store().delete_type(kMine, "mail", {})), Errc::kNotFound);
  EXPECT_EQ(code_of(store().find_type(TenantId(2), "z")), Errc::kNotFound);
  EXPECT_EQ(code_of(store().put_type({.tenant = TenantId(99), .name = "x"}, {})), Errc::kNotFound);
  const auto audit = must(store().list_audit(kMine, {}, 10));
  EXPECT_EQ(audit.at(0).action, "type.deleted");
  EXPECT_EQ(audit.at(1).action, "type.put");
}

TEST_P(JobTypesTest, ATypeStaysUnderItsLimit) {
  put("a", {.max_concurrent = 3});
  backlog(job_of("a"), 10);
  backlog(job_of("a"), 10);
  const auto claimed = claim(20, "a");
  ASSERT_EQ(claimed.size(), 3U);
  EXPECT_TRUE(claim(20, "a").empty());
  EXPECT_TRUE(end(success(grant_of(claimed[0]))));
  EXPECT_TRUE(end(failure(grant_of(claimed[1]), 1h)));
  EXPECT_EQ(claim(20, "a").size(), 2U) << "what has ended, or waits, takes no room";
  must(store().return_runs(std::vector{grant_of(claimed[2])}));
  EXPECT_EQ(claim(20, "a").size(), 1U);
}

TEST_P(JobTypesTest, OthersHaveTheRest) {
  const TenantId other = must(store().put_tenant({.name = "other"}));
  put("a", {.max_concurrent = 1});
  backlog(job_of("a"), 50);
  backlog(job_of("b"), 10);
  backlog(job_of("a", other), 10);
  const auto claimed = must(
      test::claim(store(), {.job_types = {"a", "b"}, .takers = {{.worker = "w", .max_runs = 60}}}));
  EXPECT_EQ(claimed.size(), 21U) << "a type of another tenant is another type";
}

TEST_P(JobTypesTest, TheLimitCountsAllWaysToDoTheWork) {
  put("a", {.max_concurrent = 3});
  backlog(job_of("a"), 2);
  backlog(job_of("a", kMine, true), 5);
  backlog(job_of("b", kMine, true), 5);
  EXPECT_EQ(claim(9, "a").size(), 2U);
  const auto webhooks = claim(9, core::http_queue());
  EXPECT_EQ(webhooks.size(), 6U) << "one of the limited type, and all others";
}

TEST_P(JobTypesTest, WhatRunsWhenTheLimitComesCounts) {
  backlog(job_of("a"), 10);
  EXPECT_EQ(claim(4, "a").size(), 4U);
  put("a", {.max_concurrent = 5});
  EXPECT_EQ(claim(9, "a").size(), 1U);
  put("a", {.max_concurrent = 2});
  EXPECT_TRUE(claim(9, "a").empty()) << "nothing is stopped, nothing more begins";
  put("a", {});
  EXPECT_EQ(claim(9, "a").size(), 5U);
}

TEST_P(JobTypesTest, ATypeKeepsToItsRate) {
  put("a", {.starts = 10, .per = 1s, .burst = 3});
  backlog(job_of("a"), 30);
  const auto first = claim(20, "a");
  ASSERT_EQ(first.size(), 3U);
  EXPECT_TRUE(end(success(grant_of(first[0])))) << "an end is no start";
  EXPECT_TRUE(claim(20, "a").empty());
  pass(100ms);
  EXPECT_EQ(claim(20, "a").size(), 1U);
  pass(250ms);
  EXPECT_EQ(claim(20, "a").size(), 2U);
  EXPECT_TRUE(claim(20, "a").empty());
  pass(50ms);
  EXPECT_EQ(claim(20, "a").size(), 1U) << "what is left of a wait is not lost";
  pass(1h);
  EXPECT_EQ(claim(20, "a").size(), 3U) << "nobody saves up more than a burst";
  put("a", {.starts = 10, .per = 1s, .burst = 3});
  EXPECT_EQ(claim(20, "a").size(), 3U) << "what was started before a change is forgiven";
}

TEST_P(JobTypesTest, RatesThatDoNotDivideEvenlyHaveTheirBursts) {
  put("a", {.starts = 3, .per = 1s, .burst = 3});
  backlog(job_of("a"), 30);
  for (const std::size_t expected : {1U, 1U, 1U, 0U}) {
    EXPECT_EQ(claim(1, "a").size(), expected);
  }
  pass(333ms);
  EXPECT_TRUE(claim(20, "a").empty());
  pass(1ms);
  EXPECT_EQ(claim(20, "a").size(), 1U);
  pass(1s);
  EXPECT_EQ(claim(20, "a").size(), 3U);
}

TEST_P(JobTypesTest, BothLimitsHold) {
  put("a", {.max_concurrent = 4, .starts = 1, .per = 1min, .burst = 3});
  backlog(job_of("a"), 30);
  EXPECT_EQ(claim(20, "a").size(), 3U);
  pass(1min);
  EXPECT_EQ(claim(20, "a").size(), 1U);
  pass(1min);
  EXPECT_TRUE(claim(20, "a").empty());
}

TEST_P(JobTypesTest, AClockThatIsSetBackStopsNobody) {
  put("a", {.starts = 1, .per = 1h, .burst = 1});
  backlog(job_of("a"), 5);
  pass(2h);
  EXPECT_EQ(claim(20, "a").size(), 1U);
  EXPECT_TRUE(claim(20, "a").empty());
  pass(-90min);
  EXPECT_EQ(claim(20, "a").size(), 1U);
  EXPECT_TRUE(claim(20, "a").empty());
}

TEST_P(JobTypesTest, RunsDecidedIntoWaitingHandsObey) {
  put("a", {.max_concurrent = 1});
  const JobRow job = job_of("a");
  const std::string queue = "a";
  const Taker taker{.worker = "w"};
  std::size_t granted = 0;
  for (int i = 0; i < 5; ++i) {
    pass(1s);
    PartitionDecision made = decision(job.id, now());
    made.decisions.runs.push_back(
        {.job = job.id, .tick = Tick(now()), .taker = &taker, .queue = &queue});
    granted += decide(made).granted.size();
  }
  EXPECT_LE(granted, 1U);
  EXPECT_EQ(granted + claim(9, "a").size(), 1U);
}

TEST_P(JobTypesTest, LoadsSayWhoWaitsForRoom) {
  put("a", {.max_concurrent = 2});
  put("b", {.starts = 1, .per = 1min, .burst = 1});
  put("c", {.max_concurrent = 1});
  put("d", {});
  backlog(job_of("a"), 5);
  backlog(job_of("a", kMine, true), 1);
  backlog(job_of("b"), 2);
  const Instant due = now() - 2us;
  claim(9, "a");
  claim(9, "b");
  const auto loads = must(store().type_loads());
  ASSERT_EQ(loads.size(), 4U);
  EXPECT_EQ(loads[0].type.name, "a");
  EXPECT_EQ(loads[0].held, 2);
  EXPECT_EQ(loads[0].room, 0);
  std::set<std::string> queues{loads[0].queue, loads[1].queue};
  EXPECT_EQ(queues, (std::set<std::string>{"a", core::http_queue()}));
  EXPECT_EQ(loads[0].waiting + loads[1].waiting, 4);
  EXPECT_EQ(loads[2].type.name, "b");
  EXPECT_EQ(loads[2].room, 0);
  EXPECT_EQ(loads[2].waiting, 1);
  EXPECT_EQ(loads[2].waiting_since, due + 1us);
  EXPECT_EQ(loads[3].queue, "");
  EXPECT_EQ(loads[3].room, 1);
}

BELFRY_FOR_EACH_STORE(JobTypesTest);

}  // namespace
}  // namespace belfry::store
