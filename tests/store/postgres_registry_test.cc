#include "tests/store/postgres_fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

// Registration and events where transactions run side by side.
namespace belfry::store {
namespace {

namespace postgres = store::postgres;

class PostgresRegistryTest : public PostgresTest {
 protected:
  PostgresRegistryTest() { own_everything(); }

  // A transaction of the test's own, open until it is told otherwise.
  class OpenTransaction {
   public:
    explicit OpenTransaction(const std::string& url)
        : connection_({.url = url, .prepare = false}, clock_) {
      must(connection_.open(deadline()));
      run("begin");
    }
    void run(const std::string& statement) {
      must(connection_.run_script(statement, postgres::Effect::kCommits, deadline()));
    }

   private:
    BootInstant deadline() const { return clock_.boot_now() + test::kPatience; }

    RealClock clock_;
    postgres::Connection connection_;
  };

  static std::string event(const std::string& news) {
    return fmt::format(
        "insert into outbox (at, tenant_id, kind, count, news) values (now(), 1, 0, 1, '{}')",
        news);
  }
  std::vector<Event> events_after(const EventId& after) {
    return must(store().events_after(after, 100));
  }
};

// A reader that remembers the highest number it has seen would miss the first event: that one has a
// lower number, but becomes visible later.
TEST_F(PostgresRegistryTest, AnEventOfASlowTransactionIsNotPassedBy) {
  const EventId start = must(store().last_event());
  OpenTransaction slow(url_);
  slow.run(event("1:1:0"));
  {
    OpenTransaction quick(url_);
    quick.run(event("2:1:0"));
    quick.run("commit");
  }
  EXPECT_GT(sql("select count(*) from outbox"), 0);
  std::vector<JobEvent> seen;
  EventId at = start;
  const auto look = [&] {
    for (const Event& event : events_after(at)) {
      at = event.id;
      seen.insert(seen.end(), event.jobs.begin(), event.jobs.end());
    }
  };
  look();
  const EventId fresh = must(store().last_event());  // a reader that begins now
  slow.run("commit");
  look();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].job, JobId(1));
  EXPECT_EQ(seen[1].job, JobId(2));
  EXPECT_EQ(events_after(fresh).size(), 2U);
}

TEST_F(PostgresRegistryTest, OfTwoEqualRequestsAtOnceOneIsDone) {
  const auto other = open();
  for (int i = 0; i < 20; ++i) {
    const NewJob job = new_job("j" + std::to_string(i), core::OverlapPolicy::kAllow);
    const Registration request{
        .jobs = {&job, 1},
        .idempotency = IdempotencyKey{TenantId(1), "k" + std::to_string(i), "f"}};
    std::vector<RegisteredJob> theirs;
    std::thread rival([&] { theirs = must(other->register_jobs(request)); });
    const auto mine = must(store().register_jobs(request));
    rival.join();
    ASSERT_EQ(mine.size() + theirs.size(), 2U);
    EXPECT_EQ(mine[0].job.id, theirs[0].job.id);
    EXPECT_NE(mine[0].outcome, theirs[0].outcome);
  }
}

TEST_F(PostgresRegistryTest, PutsOfTheSameNamesAtOnceAllSucceed) {
  const auto other = open();
  const auto put_all = [](Store& to, const std::string& payload, bool backwards) {
    std::vector<NewJob> jobs;
    for (int i = 0; i < 30; ++i) {
      jobs.push_back(new_job("j" + std::to_string(i), core::OverlapPolicy::kAllow));
      jobs.back().definition.payload = payload;
      jobs.back().definition.schedule.cron_expression = payload + " * * * *";
    }
    if (backwards) std::ranges::reverse(jobs);
    EXPECT_EQ(must(to.register_jobs({.jobs = jobs, .replace = true})).size(), 30U);
  };
  std::thread rival([&] {
    for (int i = 0; i < 10; ++i) put_all(*other, std::to_string(i), true);
  });
  for (int i = 10; i < 20; ++i) put_all(store(), std::to_string(i), false);
  rival.join();
  // All or nothing: the last one's payload is everywhere, and each revision was written once.
  EXPECT_EQ(sql("select count(distinct payload::text) from job_rows"), 1);
  EXPECT_EQ(sql("select count(*) from jobs"), 30);
  EXPECT_EQ(sql("select count(*) from (select from jobs j join job_revisions v on v.job_id = j.id "
                "group by j.id having count(*) <> max(j.revision)) as x"),
            0);
}

// Only the short last step may wait for a partition or make its owner wait.
TEST_F(PostgresRegistryTest, NewJobsAreWrittenBeforePartitionsAreLocked) {
  OpenTransaction owner(url_);
  owner.run("select from partitions for update");
  std::thread registers([&] {
    const std::vector<NewJob> jobs{new_job("a", core::OverlapPolicy::kAllow)};
    must(store().create_jobs(jobs));
  });
  // It waits for the partition with its rows written: the waiting session holds a lock on
  // their table.
  const std::string waits_with_rows =
      "select count(*) from pg_locks w join pg_locks r on r.pid = w.pid where not w.granted and "
      "r.relation = 'job_revisions'::regclass and r.mode = 'RowExclusiveLock'";
  EXPECT_TRUE(test::eventually([&] { return sql(waits_with_rows) > 0; }));
  owner.run("commit");
  registers.join();
  EXPECT_EQ(sql("select count(*) from jobs"), 1);
}

TEST_F(PostgresRegistryTest, WhoDidWhatIsRecorded) {
  const std::vector<NewJob> jobs{new_job("a", core::OverlapPolicy::kAllow),
                                 new_job("b", core::OverlapPolicy::kAllow)};
  const auto made = must(store().register_jobs({.jobs = jobs, .author = {"ann", "r1"}}));
  EXPECT_EQ(sql("select count(*) from audit where actor = 'ann' and action = 'job.create' and "
                "tenant_id = 1 and detail ->> 'request_id' = 'r1'"),
            2);
  NewJob other = jobs[0];
  other.definition.payload = "[1]";
  must(store().register_jobs({.jobs = {&other, 1}, .replace = true, .author = {"bob", "r2"}}));
  EXPECT_EQ(sql(fmt::format("select count(*) from audit where actor = 'bob' and action = "
                            "'job.update' and object = 'job:{}' and detail -> 'changed' = "
                            "'[\"payload\"]' and (detail ->> 'revision_before')::int = 1 and "
                            "(detail ->> 'revision_after')::int = 2",
                            made.at(0).job.id.value())),
            1);
  must(store().change_job({.job = made.at(0).job.id,
                           .status = core::JobStatus::kPaused,
                           .pause_note = "re\"pairs",
                           .author = {"ann", "r3"}}));
  EXPECT_EQ(sql("select count(*) from audit where action = 'job.pause' and detail ->> 'note' = "
                "'re\"pairs'"),
            1);
  const core::RunRef run{made.at(1).job.id, core::RunKey(-7)};
  must(store().trigger({.job = run.job, .key = run.key, .author = {"ann", "r4"}}));
  must(store().cancel_run(run, {"ann", "r5"}));
  EXPECT_EQ(sql(fmt::format("select count(*) from audit where object = 'run:{}:-7' and action in "
                            "('run.trigger', 'run.cancel')",
                            run.job.value())),
            2);
  const RunStore::Retry again{.run = run, .fresh = core::RunKey(-9), .author = {"ann", "r6"}};
  must(store().retry_run(again));
  must(store().retry_run(again));
  EXPECT_EQ(sql("select count(*) from audit where action = 'run.retry'"), 1);
  const std::vector<core::BackfillTick> ticks{{tick(-60), Duration(0)}};
  must(store().backfill({.job = run.job, .ticks = ticks, .author = {"ann", "r7"}}));
  EXPECT_EQ(sql("select count(*) from audit where action = 'run.backfill'"), 1);
  EXPECT_EQ(sql("select count(*) from audit"), 8);
  // What the engine does by itself is nobody's deed.
  must(store().change_job({.job = run.job, .status = core::JobStatus::kCompleted}));
  EXPECT_EQ(sql("select count(*) from audit"), 8);
  clock_.advance(hours(24 * 401));
  must(store().keep_history(hours(24)));
  EXPECT_EQ(sql("select count(*) from audit"), 0);
}

// With serials at hand the second one need not ask the database for any, nor for anything else.
TEST_F(PostgresRegistryTest, OneDrawsWhatTheNextNeeds) {
  const auto add = [&](const std::string& name) {
    const NewJob wanted = new_job(name, core::OverlapPolicy::kAllow);
    return must(store().create_jobs({&wanted, 1})).at(0);
  };
  const JobRow first = add("first");
  const std::int64_t drawn = sql("select last_value from job_serials");
  const JobRow second = add("second");
  EXPECT_EQ(sql("select last_value from job_serials"), drawn);
  EXPECT_NE(first.id, second.id);
  EXPECT_EQ(sql("select count(*) from outbox where news like '%:1:0'"), 2);
  EXPECT_EQ(sql("select count(*) from job_changes"), 2);
  EXPECT_EQ(sql("select sum(jobs)::bigint from tenant_jobs"), 2);
}

// Until the leader has run for a day there may be nodes that know no digests.
TEST_F(PostgresRegistryTest, NoTokenOfACheckInStaysInTheClear) {
  const Incarnation leader = node(1).incarnation;
  const NewJob wanted = new_job("a", core::OverlapPolicy::kAllow);
  const JobRow job = must(store().create_jobs({&wanted, 1})).at(0);
  must(store().put_checkin(job.id, "one", {}));
  EXPECT_EQ(sql("select count(*) from checkins where token ~ '^sha256:[0-9a-f]{64}$'"), 1);
  sql("update checkins set token = 'of an earlier version'");
  EXPECT_EQ(must(store().digest_tokens(leader, 10)), 0U);
  EXPECT_EQ(must(store().find_checkin("of an earlier version")).job, job.id);
  clock_.advance(hours(25));
  EXPECT_EQ(must(store().digest_tokens(leader, 10)), 1U);
  EXPECT_EQ(must(store().digest_tokens(leader, 10)), 0U);
  EXPECT_EQ(must(store().find_checkin("of an earlier version")).job, job.id);
  EXPECT_EQ(sql("select count(*) from checkins where token ~ '^sha256:[0-9a-f]{64}$'"), 1);
}

// If each batch changed all partitions, their owners would read again and again before they could
// decide a tick.
TEST_F(PostgresRegistryTest, ABatchOfBulkWorkChangesFewPartitions) {
  std::vector<NewJob> jobs;
  for (int i = 0; i < 240; ++i) {
    jobs.push_back(new_job("j" + std::to_string(i), core::OverlapPolicy::kAllow));
  }
  must(store().create_jobs(jobs));
  must(store().begin_bulk({.tenant = TenantId(1),
                           .object = "jobs",
                           .action = "pause",
                           .selector = R"({"all":true})",
                           .arguments = "{}"}));
  const Incarnation node = this->node(1).incarnation;
  must(store().change_selected({.work = *must(store().take_bulk(node, seconds(10))),
                                .node = node,
                                .lease = seconds(10),
                                .selector = {},
                                .deed = {.action = core::JobAction::kPause},
                                .most = 20}));
  EXPECT_EQ(sql("select count(*) from jobs where status = 1"), 20);
  EXPECT_LE(sql("select max(partition) from jobs where status = 1"),
            sql("select min(partition) from jobs where status = 0"));
}

}  // namespace
}  // namespace belfry::store
