#include "tests/store/postgres_fixture.h"

// A standby that lacks the last commits takes over. What nodes and workers remember of those
// commits must not be taken for what is written in their place.
namespace belfry::store {
namespace {

struct OwnServer {
  test::PostgresServer own_server;  // its timeline would disturb others
};

class PostgresFailoverTest : private OwnServer, public PostgresTest {
 protected:
  PostgresFailoverTest() : PostgresTest(own_server) {}

  void keep_standby() {
    own_server.keep_standby();
    reconnect();
  }
  void promote_standby() {
    own_server.promote_standby();
    reconnect();
  }
  JobRow pause(const JobRow& job) {
    const JobStore::JobChange change{.job = job.id, .status = core::JobStatus::kPaused};
    return must(store().change_job(change)).job;
  }

 private:
  // Each of the store's connections meets the restart once.
  void reconnect() {
    while (!store().renew(node(9), milliseconds(1))) {
    }
    const PartitionDecision nothing{.partition = PartitionNo(0), .epoch = Epoch(99)};
    while (!store().decide(node(9).incarnation, {&nothing, 1})) {
    }
  }
};

TEST_F(PostgresFailoverTest, AnOwnerOfBeforeDecidesNothing) {
  const JobRow job = add_job("a");
  own_everything();
  keep_standby();
  pause(job);
  const PartitionDecision planned = decision(job.id, tick(60).instant());
  promote_standby();
  // Version, cursor, owner and epoch look as they did when this was planned.
  pause(job);
  EXPECT_EQ(outcome_of(planned), DecideOutcome::kDeposed);
  EXPECT_EQ(sql("select count(*) from partitions where decided_through >= '2027-01-15 08:01Z'"), 0);
}

TEST_F(PostgresFailoverTest, AllPartitionsAreTakenAgainUnderHigherEpochs) {
  own_everything();
  const Epoch before = must(store().renew(node(1), hours(24))).mine.at(0).epoch;
  keep_standby();
  promote_standby();
  const auto membership = must(store().renew(node(1), hours(24)));
  EXPECT_TRUE(membership.mine.empty());
  EXPECT_EQ(membership.orphans, 256U);
  const auto taken = must(store().acquire(node(1), 256));
  ASSERT_EQ(taken.size(), 256U);
  EXPECT_GT(taken.at(0).epoch.value(), before.value() + 1000);
  EXPECT_EQ(must(store().renew(node(1), hours(24))).mine.size(), 256U);
}

TEST_F(PostgresFailoverTest, FencesGrow) {
  const JobRow job = add_job("a");
  own_everything();
  keep_standby();
  decide_runs(job.id, {60});
  const ClaimedRun before = claim(1).at(0);
  promote_standby();
  must(store().acquire(node(1), 256));
  decide_runs(job.id, {60});
  const ClaimedRun after = claim(1).at(0);
  EXPECT_EQ(after.run, before.run);
  EXPECT_GT(after.fence, before.fence);
  const RunGrant old = grant_of(before);
  EXPECT_EQ(must(store().heartbeat({&old, 1}, minutes(1))).at(0), HeartbeatAnswer::kFenced);
}

TEST_F(PostgresFailoverTest, ARenewalTellsThatTheLastOneIsLost) {
  must(store().renew(node(1), hours(24)));
  keep_standby();
  clock_.advance(seconds(1));
  const auto before = must(store().renew(node(1), hours(24)));
  promote_standby();
  const auto after = must(store().renew(node(1), hours(24)));
  EXPECT_GT(after.era, before.era);
  EXPECT_EQ(after.lease_before, kStart + hours(24));
  EXPECT_LT(*after.lease_before, before.now + hours(24));
}

}  // namespace
}  // namespace belfry::store
