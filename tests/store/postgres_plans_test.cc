#include "tests/support/postgres_plans.h"

#include "store/postgres/sql.h"
#include "tests/store/postgres_fixture.h"

#include <fmt/format.h>

#include <algorithm>

// The hot statements find their rows by index, whatever the planner believes about the tables: a
// plan is kept while the live table grows from nothing to a hundred thousand rows. `./dev bench
// plans` checks the same with ten million jobs.
namespace belfry::store {
namespace {

namespace postgres = store::postgres;

class PostgresPlanTest : public PostgresTest {
 protected:
  void fill_with_runs() {
    const JobRow job = add_job("a");
    own_everything();
    std::vector<int> ticks;
    for (int i = 1; i <= 5'000; ++i) ticks.push_back(i);
    EXPECT_EQ(decide_runs(job.id, ticks).runs.size(), 5'000U);
  }

  // The generic plan, as a connection of the store has it.
  std::string plan_of(std::string_view statement, std::string_view arguments = "") {
    const RealClock clock;
    postgres::Connection connection({.url = url_, .statement_timeout = seconds(20)}, clock);
    const BootInstant deadline = clock.boot_now() + seconds(20);
    must(connection.open(deadline));
    return must(test::plan_of(connection, statement, deadline, arguments));
  }

  void expect_indexed(std::string_view name, std::string_view statement) {
    const std::string plan = plan_of(statement);
    for (const std::string_view table :
         {"runs", "jobs", "job_revisions", "skips", "history", "attempts", "partitions",
          "job_changes", "outbox", "idempotency", "job_labels", "api_keys", "tenants", "calendars",
          "audit"}) {
      EXPECT_EQ(plan.find(fmt::format("Seq Scan on {}", table)), std::string::npos) << name << "\n"
                                                                                    << plan;
    }
    EXPECT_NE(plan.find("Index"), std::string::npos) << name;
    // The leading column is missing: the index is read from end to end.
    EXPECT_EQ(plan.find("Index Cond: (revision"), std::string::npos) << name << "\n" << plan;
    // A hashed one would read the whole table once.
    EXPECT_EQ(plan.find("hashed SubPlan"), std::string::npos) << name << "\n" << plan;
  }

  // A list must not sort what it lists: it would read all of it for one page.
  void expect_walks(std::string_view name, std::string_view statement, std::string_view index,
                    std::string_view arguments = "") {
    expect_indexed(name, statement);
    const std::string plan = plan_of(statement, arguments);
    EXPECT_NE(plan.find(index), std::string::npos) << name << "\n" << plan;
    // Rows with the same time may be sorted, by an Incremental Sort.
    EXPECT_EQ(plan.find("->  Sort"), std::string::npos) << name << "\n" << plan;
  }

  void expect_lists_indexed() {
    expect_walks("names_of_all", postgres::kNamesOfAll, "jobs_name");
    expect_walks("names_of_status", postgres::kNamesOfStatus, "jobs_unusual");
    expect_walks("names_of_type", postgres::kNamesOfType, "jobs_typed");
    expect_walks("names_of_label", postgres::kNamesOfLabel, "job_labels_pkey");
    expect_indexed("jobs_named", postgres::kJobsNamed);
    expect_indexed("show_run", postgres::kShowRun);
    expect_indexed("show_past_run", postgres::kShowPastRun);
    expect_indexed("fate_of_tick", postgres::kFateOfTick);
    expect_indexed("live_of_job", postgres::kLiveOfJob);
    expect_walks("past_of_job", postgres::kPastOfJob, "_job_id_scheduled_for_idx");
    expect_walks("past_of_job_upwards", postgres::kPastOfJobUpwards, "_job_id_scheduled_for_idx");
    expect_indexed("live_of_tenant", postgres::kLiveOfTenant);
    // Without times, all days would be pruned.
    expect_walks("past_of_tenant", postgres::kPastOfTenant, "_tenant_id_finished_at_idx",
                 "1, '-infinity', 'infinity', 'infinity', 1, 1, 10");
    expect_walks("unhappy_of_tenant", postgres::kUnhappyOfTenant,
                 "_tenant_id_state_finished_at_idx",
                 "1, '-infinity', 'infinity', 'infinity', 1, 1, 10, 5::smallint");
    expect_indexed("results_of", postgres::kResultsOf);
    expect_indexed("skips_downwards", postgres::kSkipsDownwards);
    expect_indexed("skips_upwards", postgres::kSkipsUpwards);
    expect_indexed("revisions_of", postgres::kRevisionsOf);
    expect_indexed("find_key", postgres::kFindKey);
    expect_walks("list_audit", postgres::kListAudit, "audit_tenant");
    expect_indexed("jobs_behind", postgres::kJobsBehind);
  }

  // Whether a run waits for another one of its job: asked for each, all runs of that job would be
  // read as many times as there are.
  void expect_counted_in_one_pass() {
    const std::string plan = plan_of(postgres::kQueueLoads);
    EXPECT_NE(plan.find("CTE Scan on held"), std::string::npos) << plan;
    EXPECT_EQ(plan.find("runs_pkey"), std::string::npos) << plan;
  }

  void expect_all_indexed() {
    for (const test::HotStatement& statement : test::hot_statements()) {
      const std::string plan = plan_of(statement.sql);
      EXPECT_EQ(test::complaint_about(plan), "") << statement.name << "\n" << plan;
    }
    expect_lists_indexed();
    expect_counted_in_one_pass();
    expect_indexed("backfill", postgres::kBackfill);
    expect_indexed("find_run", postgres::kFindRun);
    expect_indexed("feeding", postgres::kFeeding);
    expect_indexed("revive_run", postgres::kReviveRun);
    expect_indexed("repeat_run", postgres::kRepeatRun);
    expect_indexed("match_jobs", postgres::kMatchJobs);
    expect_indexed("next_selected", postgres::kNextSelected);
    expect_indexed("names_looked_at", postgres::kNamesLookedAt);
    expect_indexed("jobs_to_change", postgres::kJobsToChange);
    expect_indexed("jobs_to_restate", postgres::kJobsToRestate);
    expect_indexed("end_line", postgres::kEndLine);
    expect_indexed("drop_labels", postgres::kDropLabels);
    expect_indexed("update_jobs", postgres::kUpdateJobs);
    expect_indexed("restate_jobs", postgres::kRestateJobs);
    expect_indexed("record_jobs", postgres::kRecordJobs);
    expect_indexed("announce_jobs", postgres::kAnnounceJobs);
    expect_indexed("lock_partitions", postgres::kLockPartitions);
    expect_indexed("read_requests", postgres::kReadRequests);
    expect_indexed("keep_requests", postgres::kKeepRequests);
    expect_indexed("events_after", postgres::kEventsAfter);
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
  fill_with_runs();
  expect_all_indexed();
  sql("vacuum analyze");
  expect_all_indexed();
}

// Beside a transaction left open: the table has grown, and hardly any of its rows are alive.
TEST_F(PostgresPlanTest, OfTablesThatManyRunsHaveGoneThrough) {
  fill_with_runs();
  for (const int left : {1'000, 100, 10, 1}) {
    sql(fmt::format("delete from runs where run_key not in (select run_key from runs limit {})",
                    left));
    sql("analyze");
    expect_all_indexed();
  }
}

}  // namespace
}  // namespace belfry::store
