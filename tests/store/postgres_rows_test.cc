#include "store/postgres/sql.h"
#include "tests/store/postgres_fixture.h"

#include <functional>
#include <future>

// How statements find the rows they change: also rows that change at the same moment, rows that
// exist already, and rows that claims would not look back for.
namespace belfry::store {
namespace {

using core::OverlapPolicy;

class PostgresRowTest : public PostgresTest {
 protected:
  // Does something while another transaction has changed every run but not committed yet.
  template <typename T>
  T during_a_change(const std::function<T()>& action) {
    const RealClock clock;
    postgres::Connection other({.url = url_, .statement_timeout = test::kPatience}, clock);
    const BootInstant deadline = clock.boot_now() + test::kPatience;
    must(other.open(deadline));
    const auto run = [&](const char* text) {
      return must(other.run_script(text, postgres::Effect::kNone, deadline));
    };
    run("begin; update runs set stands_for = stands_for + 1");
    auto answer = std::async(std::launch::async, action);
    while (sql("select count(*) from pg_locks where not granted") == 0) {
      if (clock.boot_now() > deadline) ADD_FAILURE() << "nobody waits";
      if (clock.boot_now() > deadline) break;
    }
    run("commit");
    return answer.get();
  }
};

TEST_F(PostgresRowTest, AHeartbeatFindsARunThatChangesMeanwhile) {
  const JobRow job = add_job("a");
  own_everything();
  decide_runs(job.id, {1});
  const RunGrant grant = grant_of(claim(1).at(0));
  const auto answers = during_a_change<std::vector<HeartbeatAnswer>>(
      [&] { return must(store().heartbeat({&grant, 1}, minutes(1))); });
  EXPECT_EQ(answers.at(0), HeartbeatAnswer::kExtended);
}

TEST_F(PostgresRowTest, AnEndFindsARunThatChangesMeanwhile) {
  const JobRow job = add_job("a");
  own_everything();
  decide_runs(job.id, {1, 2});
  const auto runs = claim(2);
  AttemptEnd failure = success(grant_of(runs.at(0)));
  failure.next = core::RunState::kRetrying;
  failure.wait = Duration(0);
  const std::vector<AttemptEnd> ends{failure, success(grant_of(runs.at(1)))};
  const auto answers =
      during_a_change<std::vector<bool>>([&] { return must(store().end_attempts(ends)); });
  EXPECT_EQ(answers, (std::vector<bool>{true, true}));
  EXPECT_EQ(sql("select count(*) from runs where state = 2"), 1);
  EXPECT_EQ(sql("select count(*) from history"), 1);
}

TEST_F(PostgresRowTest, ACancellationFindsARunThatChangesMeanwhile) {
  const JobRow job = add_job("a");
  own_everything();
  decide_runs(job.id, {1, 2});
  const ClaimedRun running = claim(1).at(0);
  EXPECT_TRUE(during_a_change<bool>([&] { return must(store().cancel_run(running.run, {})); }));
  EXPECT_EQ(sql("select count(*) from runs where cancel_requested"), 1);
  const core::RunRef waiting{job.id, core::run_key_of(tick(2))};
  EXPECT_TRUE(during_a_change<bool>([&] { return must(store().cancel_run(waiting, {})); }));
  EXPECT_EQ(sql("select count(*) from history where state = 6"), 1);
}

TEST_F(PostgresRowTest, ARunThatIsThereAlreadyDoesNotStopADecision) {
  const JobRow job = add_job("a");
  own_everything();
  must(store().trigger({.job = job.id,
                        .key = core::run_key_of(tick(1)),
                        .origin = core::RunOrigin::kBackfill,
                        .tick = tick(1)}));
  const DecideResult result = decide_runs(job.id, {1, 2});
  EXPECT_EQ(result.partitions.at(0).outcome, DecideOutcome::kDecided);
  EXPECT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 2U);
}

}  // namespace
}  // namespace belfry::store
