#include "tests/store/suite.h"

#include <algorithm>

namespace belfry::store {

void StoreTest::own_everything() {
  must(store().renew(node(1), std::chrono::hours(24)));
  EXPECT_EQ(must(store().acquire(node(1), 256)).size(), 256U);
}

JobStore::NewJob StoreTest::new_job(const std::string& name, core::OverlapPolicy overlap,
                                    TenantId tenant) {
  JobStore::NewJob job{.tenant = tenant, .region = RegionNo(0)};
  job.definition.name = name;
  job.definition.schedule.cron_expression = "* * * * *";
  job.definition.policies.overlap = overlap;
  return job;
}

JobRow StoreTest::add(const JobStore::NewJob& job) {
  return must(store().create_jobs({&job, 1})).at(0);
}

PartitionDecision StoreTest::decision(JobId job, Instant to, std::uint64_t owner) {
  const PartitionNo partition = partition_of(job);
  const auto mine = must(store().renew(node(owner), std::chrono::hours(24))).mine;
  const auto found = std::ranges::find(mine, partition, &OwnedPartition::partition);
  if (found == mine.end()) {
    ADD_FAILURE() << "node " << owner << " does not own the job's partition";
    return {};
  }
  return {.partition = partition,
          .epoch = found->epoch,
          .version = found->version,
          .from = found->decided_through,
          .to = to};
}

DecideResult StoreTest::decide(const PartitionDecision& decision, std::uint64_t owner) {
  return must(store().decide(node(owner).incarnation, {&decision, 1}));
}

DecideResult StoreTest::decide_runs(JobId job, const std::vector<int>& seconds) {
  const Instant to = tick(seconds.back()).instant();
  if (to > now()) pass(to - now());
  PartitionDecision made = decision(job, to);
  for (const int second : seconds) made.decisions.runs.push_back({job, tick(second)});
  DecideResult result = decide(made);
  EXPECT_EQ(result.partitions.at(0).outcome, DecideOutcome::kDecided);
  return result;
}

std::vector<ClaimedRun> StoreTest::claim(std::size_t most, const std::string& type) {
  return must(test::claim(
      store(), {.job_types = {type}, .takers = {{.worker = "worker", .max_runs = most}}}));
}

}  // namespace belfry::store
