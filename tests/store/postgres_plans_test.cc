#include "store/postgres/sql.h"
#include "tests/store/postgres_bench.h"

#include <fmt/format.h>

#include <algorithm>

// The hot statements find their rows by index whatever the planner believes about the tables: a
// plan is kept while the live table grows from nothing to a hundred thousand rows.
namespace belfry::store {
namespace {

namespace postgres = store::postgres;

class PostgresPlanTest : public PostgresTest {
 protected:
  // The generic plan, as a connection of the store has it.
  std::string plan_of(std::string_view statement) {
    const RealClock clock;
    postgres::Connection connection({.url = url_, .statement_timeout = seconds(20)}, clock);
    const BootInstant deadline = clock.boot_now() + seconds(20);
    must(connection.open(deadline));
    const auto run = [&](const std::string& text) {
      return must(connection.run_script(text, postgres::Effect::kCommits, deadline));
    };
    run(fmt::format("prepare x as {}", statement));
    std::string nulls = "null";
    for (int i = 1; i < parameters_of(statement); ++i) nulls += ", null";
    const postgres::Reply reply = run(fmt::format("explain execute x({})", nulls));
    std::string plan;
    for (int i = 0; i < reply.size(); ++i) plan += reply.row(i).text() + "\n";
    return plan;
  }

  static int parameters_of(std::string_view statement) {
    int count = 0;
    while (statement.find("$" + std::to_string(count + 1)) != std::string_view::npos) ++count;
    return count;
  }

  void expect_indexed(std::string_view name, std::string_view statement) {
    const std::string plan = plan_of(statement);
    for (const std::string_view table : {"runs", "jobs", "job_revisions", "skips", "history",
                                         "attempts", "partitions", "job_changes"}) {
      EXPECT_EQ(plan.find(fmt::format("Seq Scan on {}", table)), std::string::npos) << name << "\n"
                                                                                    << plan;
    }
    EXPECT_NE(plan.find("Index"), std::string::npos) << name;
    // A hashed one would read the whole table once.
    EXPECT_EQ(plan.find("hashed SubPlan"), std::string::npos) << name << "\n" << plan;
  }

  void expect_all_indexed() {
    expect_indexed("decide", postgres::kDecide);
    expect_indexed("claim", postgres::kClaim);
    expect_indexed("next_due", postgres::kNextDue);
    expect_indexed("heartbeat", postgres::kHeartbeat);
    expect_indexed("facts_of", postgres::kFactsOf);
    expect_indexed("return_runs", postgres::kReturnRuns);
    expect_indexed("outcomes_of", postgres::kOutcomesOf);
    expect_indexed("find_expired", postgres::kFindExpired);
    expect_indexed("end_attempts", postgres::kEndAttempts);
    expect_indexed("trigger", postgres::kTrigger);
    expect_indexed("cancel_run", postgres::kCancelRun);
    expect_indexed("complete_jobs", postgres::kCompleteJobs);
    expect_indexed("full_tenants", postgres::kFullTenants);
    expect_indexed("backfill", postgres::kBackfill);
    expect_indexed("find_run", postgres::kFindRun);
    expect_indexed("revive_run", postgres::kReviveRun);
    expect_indexed("repeat_run", postgres::kRepeatRun);
    expect_indexed("end_line", postgres::kEndLine);
    expect_indexed("load_partition", postgres::kLoadPartition);
    expect_indexed("load_changes", postgres::kLoadChanges);
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
