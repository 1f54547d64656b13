#include "tests/store/suite.h"

#include <map>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using core::RunKey;

class FairnessTest : public StoreTest {
 protected:
  FairnessTest() { own_everything(); }

  TenantId tenant(const std::string& name, std::int32_t weight = 1, std::int32_t in_flight = 0) {
    return must(store().put_tenant({.name = name, .weight = weight, .max_in_flight = in_flight}));
  }
  JobRow job_of(TenantId owner, std::int32_t priority = 0, const std::string& type = "default") {
    JobStore::NewJob job = new_job("job" + std::to_string(++jobs_), OverlapPolicy::kAllow, owner);
    job.definition.policies.priority = priority;
    job.definition.job_type = type;
    return add(job);
  }
  // Runs that are ready now.
  void backlog(const JobRow& job, int count) {
    pass(1s);
    PartitionDecision made = decision(job.id, now());
    for (int i = count; i > 0; --i) {
      made.decisions.runs.push_back({job.id, Tick(now() - std::chrono::microseconds(i))});
    }
    EXPECT_EQ(decide(made).runs.size(), static_cast<std::size_t>(count));
  }
  std::map<TenantId, std::size_t> shares(std::size_t most) {
    std::map<TenantId, std::size_t> result;
    for (const ClaimedRun& run : claim(most)) ++result[run.tenant];
    return result;
  }

 private:
  int jobs_ = 0;
};

TEST_P(FairnessTest, AFloodDelaysItsOwnerOnly) {
  const TenantId flood = tenant("flood");
  const TenantId small = tenant("small");
  backlog(job_of(flood), 5'000);
  backlog(job_of(small), 5);
  auto got = shares(10);
  EXPECT_EQ(got[flood], 5U);
  EXPECT_EQ(got[small], 5U);
}

TEST_P(FairnessTest, SharesFollowTheWeights) {
  const TenantId heavy = tenant("heavy", 3);
  const TenantId light = tenant("light", 1);
  backlog(job_of(light), 100);
  backlog(job_of(heavy), 100);
  auto got = shares(40);
  EXPECT_EQ(got[heavy], 30U);
  EXPECT_EQ(got[light], 10U);
}

TEST_P(FairnessTest, WhatOneDoesNotUseGoesToTheOthers) {
  const TenantId heavy = tenant("heavy", 99);
  const TenantId light = tenant("light", 1);
  backlog(job_of(heavy), 3);
  backlog(job_of(light), 100);
  auto got = shares(40);
  EXPECT_EQ(got[heavy], 3U);
  EXPECT_EQ(got[light], 37U);
}

TEST_P(FairnessTest, ATenantStaysUnderItsLimitInFlight) {
  const TenantId limited = tenant("limited", 1, 3);
  const TenantId other = tenant("other");
  backlog(job_of(limited), 50);
  backlog(job_of(other), 50);
  const auto claimed = claim(20);
  std::vector<RunGrant> of_limited;
  for (const ClaimedRun& run : claimed) {
    if (run.tenant == limited) of_limited.push_back(grant_of(run));
  }
  EXPECT_EQ(claimed.size(), 20U);
  ASSERT_EQ(of_limited.size(), 3U);
  EXPECT_EQ(shares(20)[limited], 0U);
  EXPECT_TRUE(end(success(of_limited[0])));
  EXPECT_TRUE(end(failure(of_limited[1], 1h)));
  EXPECT_EQ(shares(20)[limited], 2U);
}

TEST_P(FairnessTest, TheLimitCountsAllJobTypes) {
  const TenantId limited = tenant("limited", 1, 3);
  backlog(job_of(limited, 0, "a"), 2);
  backlog(job_of(limited, 0, "b"), 5);
  EXPECT_EQ(claim(10, "a").size(), 2U);
  EXPECT_EQ(claim(10, "b").size(), 1U);
}

TEST_P(FairnessTest, PriorityComesBeforeAgeWithinATenant) {
  const TenantId owner = tenant("owner");
  const JobRow low = job_of(owner, -1);
  const JobRow high = job_of(owner, 5);
  const JobRow middle = job_of(owner, 0, "second");
  backlog(low, 3);
  backlog(middle, 3);
  backlog(high, 3);
  const auto claimed = must(test::claim(
      store(), {.job_types = {"default", "second"}, .takers = {{.worker = "w", .max_runs = 5}}}));
  std::map<JobId, std::size_t> got;
  for (const ClaimedRun& run : claimed) ++got[run.run.job];
  EXPECT_EQ(got[high.id], 3U);
  EXPECT_EQ(got[middle.id], 2U);
  EXPECT_EQ(got[low.id], 0U);
}

TEST_P(FairnessTest, TheOldestComeFirst) {
  const TenantId owner = tenant("owner");
  const JobRow first = job_of(owner, 0, "a");
  const JobRow second = job_of(owner, 0, "b");
  const JobRow third = job_of(owner, 0, "a");
  backlog(first, 2);
  backlog(second, 2);
  backlog(third, 2);
  const auto claimed = must(
      test::claim(store(), {.job_types = {"a", "b"}, .takers = {{.worker = "w", .max_runs = 3}}}));
  std::map<JobId, std::size_t> got;
  for (const ClaimedRun& run : claimed) ++got[run.run.job];
  EXPECT_EQ(got[first.id], 2U);
  EXPECT_EQ(got[second.id], 1U);
}

TEST_P(FairnessTest, ATenantWhoseRunsAllWaitTakesNoShare) {
  const TenantId waiting = tenant("waiting", 9);
  const TenantId other = tenant("other");
  backlog(job_of(waiting), 1);
  EXPECT_TRUE(end(failure(grant_of(claim(1).at(0)), 1h)));
  backlog(job_of(other), 20);
  EXPECT_EQ(shares(10)[other], 10U);
}

TEST_P(FairnessTest, ATenantIsPutByNameOrNumber) {
  const TenantId id = tenant("a", 2, 3);
  EXPECT_EQ(tenant("a", 5, 0), id);
  EXPECT_NE(tenant("b"), id);
  EXPECT_EQ(must(store().put_tenant({.id = id, .name = "c", .weight = 7})), id);
  EXPECT_EQ(tenant("c"), id);
}

BELFRY_FOR_EACH_STORE(FairnessTest);

}  // namespace
}  // namespace belfry::store
