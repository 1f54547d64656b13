#include "tests/support/postgres_plans.h"

#include "tests/store/postgres_bench.h"

// The hot statements find their rows by index whatever the planner believes about the tables: a
// plan is kept while the live table grows from nothing to a hundred thousand rows. `./dev bench
// plans` asks the same of ten million jobs.
namespace belfry::store {
namespace {

class PostgresPlanTest : public PostgresTest {
 protected:
  void expect_all_indexed() {
    const RealClock clock;
    postgres::Connection connection({.url = url_, .statement_timeout = seconds(20)}, clock);
    const BootInstant deadline = clock.boot_now() + seconds(20);
    must(connection.open(deadline));
    for (const test::HotStatement& statement : test::hot_statements()) {
      const std::string plan = must(test::plan_of(connection, statement.sql, deadline));
      EXPECT_EQ(test::complaint_about(plan), "") << statement.name << "\n" << plan;
    }
  }
};

TEST_F(PostgresPlanTest, OfTablesNobodyLookedAt) {
  expect_all_indexed();
}

TEST_F(PostgresPlanTest, OfTablesKnownToBeEmpty) {
  sql("vacuum analyze");
  expect_all_indexed();
}

TEST_F(PostgresPlanTest, OfTablesFullOfRuns) {
  const JobRow job = add_job("a");
  own_everything();
  std::vector<int> ticks;
  for (int i = 1; i <= 5'000; ++i) ticks.push_back(i);
  EXPECT_EQ(decide_runs(job.id, ticks).runs, 5'000U);
  expect_all_indexed();
  sql("vacuum analyze");
  expect_all_indexed();
}

}  // namespace
}  // namespace belfry::store
