#include "tests/store/postgres_fixture.h"

#include <atomic>
#include <thread>

// What the PostgreSQL store says and does when the server, or the way to it, fails.
namespace belfry::store {
namespace {

class PostgresFaultTest : public PostgresTest {};
class PostgresMigrationTest : public PostgresTest {};

TEST_F(PostgresFaultTest, ACutConnectionIsNoticedAndReplaced) {
  own_everything();
  cut_connections();
  // Cut while idle: noticed before anything is sent, so no caller sees it.
  EXPECT_EQ(must(store().renew(node(1), hours(1))).mine.size(), 256U);
  must(store().put_tenant({.name = "t"}));
}

TEST_F(PostgresFaultTest, AConnectionCutInTheMiddleLosesNothingItConfirmed) {
  own_everything();
  const JobRow job = add_job("a");
  std::atomic<bool> stop = false;
  std::atomic<int> failures = 0;
  int confirmed = 0;
  std::thread cutter([&] {
    while (!stop) cut_connections();
  });
  for (int i = 1; i <= 300 || (failures == 0 && i < 5'000); ++i) {
    const auto run = store().trigger({.job = job.id, .key = core::RunKey(-i)});
    if (run) {
      ++confirmed;
      continue;
    }
    ++failures;
    EXPECT_TRUE(run.error().code == Errc::kUnavailable || run.error().code == Errc::kUnknownOutcome)
        << to_string(run.error());
    // Asking again is safe whatever happened.
    const auto again = store().trigger({.job = job.id, .key = core::RunKey(-i)});
    if (again) ++confirmed;
  }
  stop = true;
  cutter.join();
  EXPECT_GT(failures, 0);
  const auto runs = must(store().runs_of(job.id));
  EXPECT_GE(static_cast<int>(runs.size()), confirmed);
}

TEST_F(PostgresFaultTest, WorksAgainAfterTheServerRestarted) {
  own_everything();
  const JobRow job = add_job("a");
  server().stop();
  EXPECT_EQ(code_of(store().find_job(job.id)), Errc::kUnavailable);
  EXPECT_EQ(code_of(store().renew(node(1), hours(1))), Errc::kUnavailable);
  server().start();
  EXPECT_EQ(must(store().find_job(job.id)).definition.name, "a");
  EXPECT_EQ(must(store().renew(node(1), hours(1))).mine.size(), 256U);
  must(store().put_tenant({.name = "kept"}));
  server().kill();
  server().start();
  EXPECT_EQ(sql("select count(*) from tenants where name = 'kept'"), 1);
  EXPECT_EQ(must(store().find_job(job.id)).definition.name, "a");
}

// The server stays frozen until all calls have returned: nothing but the deadline ends them.
TEST_F(PostgresFaultTest, AFrozenServerCostsNoMoreThanTheDeadline) {
  PostgresOptions hasty = options();
  hasty.call_deadline = seconds(2);  // enough for a server that is only busy
  const auto store = open(hasty);
  must(store->renew(node(1), hours(1)));
  must(store->put_region("t"));
  server().pause();
  EXPECT_EQ(code_of(store->put_region("u")), Errc::kUnknownOutcome);
  EXPECT_EQ(code_of(store->renew(node(1), hours(1))), Errc::kUnknownOutcome);
  EXPECT_EQ(code_of(store->clock()), Errc::kUnavailable);  // cannot even connect
  EXPECT_EQ(code_of(test::next_due(*store)), Errc::kUnavailable);
  server().resume();
  EXPECT_EQ(must(this->store().clock()), kStart);
  must(this->store().put_tenant({.name = "u"}));
}

TEST_F(PostgresFaultTest, ALeaseIsRenewedWhileThePoolIsBusy) {
  own_everything();
  const JobRow job = add_job("a");
  std::unique_ptr<Store> store;
  bool renews = false;
  PostgresOptions narrow = options();
  narrow.pool_size = 1;
  narrow.now_override = [&] {
    // Asked for in the middle of a transaction that has the only connection of the pool.
    if (std::exchange(renews, false)) must(store->renew(node(1), hours(1)));
    return std::optional(clock_.wall_now());
  };
  store = open(narrow);
  renews = true;
  EXPECT_EQ(must(store->change_job({.job = job.id})).job.id, job.id);
  EXPECT_FALSE(renews);
}

TEST_F(PostgresFaultTest, WorksWithoutPreparedStatements) {
  PostgresOptions pooled = options();
  pooled.prepare = PostgresOptions::Prepare::kOff;
  store_ = open(pooled);
  own_everything();
  const JobRow job = add_job("a");
  EXPECT_EQ(decide_runs(job.id, {1, 2, 3}).runs.size(), 3U);
  EXPECT_EQ(claim(5).size(), 3U);
  EXPECT_EQ(sql("select count(*) from pg_prepared_statements"), 0);
}

TEST_F(PostgresFaultTest, ADeadlockIsTriedAgain) {
  const JobRow job = add_job("a");
  own_everything();
  std::atomic<bool> stop = false;
  // Takes the rows of two partitions in the wrong order, over and over.
  std::thread rival([&] {
    while (!stop) {
      sql("with a as materialized (select id from partitions where id = 200 for update), "
          "b as materialized (select id from partitions where id = 100 and "
          "(select count(*) from a) > 0 for update) select count(*) from b");
    }
  });
  std::vector<OwnershipStore::Holding> held{{PartitionNo(100), Epoch(1)},
                                            {PartitionNo(200), Epoch(1)}};
  for (int i = 0; i < 50; ++i) must(store().release(node(1), held));
  stop = true;
  rival.join();
}

TEST_F(PostgresMigrationTest, TwoStoresMayMigrateAtOnce) {
  const std::string url = server().empty_database();
  std::vector<std::thread> openers;
  openers.reserve(3);
  for (int i = 0; i < 3; ++i) {
    openers.emplace_back([&] { must(must(open_postgres({.url = url}))->clock()); });
  }
  for (std::thread& opener : openers) opener.join();
  url_ = url;
  EXPECT_EQ(sql("select count(*) from partitions"), 256);
  EXPECT_EQ(sql("select id from tenants where name = 'default'"), 1);
  EXPECT_EQ(sql("select count(*) from pg_inherits where inhparent = 'history'::regclass"), 9);
}

TEST_F(PostgresMigrationTest, ANewerDatabaseIsRefused) {
  sql("insert into schema_migrations (number, name) values (9999, 'from the future')");
  const auto opened = open_postgres(options());
  ASSERT_EQ(code_of(opened), Errc::kInvalid);
  EXPECT_NE(opened.error().message.find("9999"), std::string::npos);
}

TEST_F(PostgresMigrationTest, HistoryIsCutByDaysAndDroppedWhole) {
  const JobRow job = add_job("a");
  own_everything();
  decide_runs(job.id, {1});
  const AttemptEnd end = success(grant_of(claim(1).at(0)));
  EXPECT_TRUE(must(store().end_attempts({&end, 1})).at(0));
  EXPECT_EQ(sql("select count(*) from history_rest"), 0);
  // No janitor for a month: the rest partition takes what comes, and gives it up again in time.
  clock_.advance(hours(24 * 30));
  decide_runs(job.id, {24 * 3600 * 30});
  const AttemptEnd late = success(grant_of(claim(1).at(0)));
  EXPECT_TRUE(must(store().end_attempts({&late, 1})).at(0));
  EXPECT_EQ(sql("select count(*) from history_rest"), 1);
  must(store().keep_history(hours(24 * 7)));
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U);
  clock_.advance(hours(24 * 8));
  must(store().keep_history(hours(24 * 7)));
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 0U);
  const KnownJobs known{partition_of(job.id), JobsVersion(0)};
  EXPECT_FALSE(must(store().load_changes({&known, 1})).front());
}

}  // namespace
}  // namespace belfry::store
