// The hot statements seek, whatever the tables hold: no statistics exist that could change a plan.
#include "store/sqlite/sql.h"
#include "tests/store/suite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace belfry::store::sqlite {
namespace {

class Plans {
 protected:
  Plans() {
    EXPECT_EQ(sqlite3_open(":memory:", &connection_), SQLITE_OK);
    for (const Migration& migration : kMigrations) {
      const std::string sql(migration.sql);
      EXPECT_EQ(sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    }
  }
  ~Plans() { sqlite3_close(connection_); }

  std::vector<std::string> plan(std::string_view query) {
    const std::string sql = "explain query plan " + std::string(query);
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(connection_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(connection_);
    std::vector<std::string> steps;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      const unsigned char* detail = sqlite3_column_text(statement, 3);
      steps.emplace_back(reinterpret_cast<const char*>(detail));
    }
    sqlite3_finalize(statement);
    return steps;
  }

 private:
  sqlite3* connection_ = nullptr;
};

class SqlitePlansTest : public Plans, public testing::TestWithParam<std::string_view> {};
class SqliteListPlansTest : public Plans, public testing::Test {};

TEST_P(SqlitePlansTest, NeitherScansNorSorts) {
  const auto steps = plan(GetParam());
  EXPECT_FALSE(steps.empty());
  for (const std::string& step : steps) {
    EXPECT_FALSE(step.starts_with("SCAN")) << step << "\n" << GetParam();
    EXPECT_EQ(step.find("TEMP B-TREE"), std::string::npos) << step << "\n" << GetParam();
  }
}

INSTANTIATE_TEST_SUITE_P(
    HotStatements, SqlitePlansTest,
    testing::Values(kPartitionRow, kRaiseCursor, kTermsOfJob, kInsertRun, kRunIsLive,
                    kOtherWaitingRuns, kCancelOtherRunningRuns, kRoomOfTenant, kReadLive, kFindLive,
                    kGrantedRun, kCancelRequested, kLeavingRun, kEndingRun, kCountPartitions,
                    kPartitionsOf, kReviveRun, kForgetPastRun, kPayloadOfPastRun, kRunsInLine,
                    kBackfillTerms, kGrantRun, kExtendLease, kFactsOf, kRetryRun, kDeleteRun,
                    kStateOfRun, kRequestCancel, kLiveRun, kPastRunByKey, kPastRunByTick, kFindJob,
                    kFindJobByName, kLoadPartition, kDropHistory, kDropAttempts,
                    kFingerprintOfRequest, kPruneRequests, kEventsAfter));

INSTANTIATE_TEST_SUITE_P(Lists, SqlitePlansTest,
                         testing::Values(kNamesOfAll, kNamesOfStatus, kNamesOfType, kNamesOfLabel,
                                         kListedJob, kHasLabel, kShowRun, kShowPastRun,
                                         kScheduleOfRun, kResultOf, kSkipsDownwards, kSkipsUpwards,
                                         kRevisionsOf, kFindKey, kListKeys, kListAudit,
                                         kCalendarUser));

// Lists ordered by more than their index sort only runs of the same time.
TEST_F(SqliteListPlansTest, SeekAndSortOnlyTies) {
  for (const std::string_view query :
       {kPastOfJob, kPastOfJobUpwards, kPastOfTenant, kUnhappyOfTenant, kLiveOfTenant}) {
    for (const std::string& step : plan(query)) {
      EXPECT_FALSE(step.starts_with("SCAN")) << step << "\n" << query;
      EXPECT_EQ(step.find("TEMP B-TREE FOR ORDER BY"), std::string::npos) << step << "\n" << query;
    }
  }
}

// Whether a run waits for another one of its job: asked for each, all runs of that job would be
// read as many times as there are.
TEST_F(SqliteListPlansTest, WhatWaitsIsCountedInOnePass) {
  for (const std::string& step : plan(kQueueLoads)) {
    EXPECT_EQ(step.find("job_id=?"), std::string::npos) << step;
  }
}

}  // namespace
}  // namespace belfry::store::sqlite
