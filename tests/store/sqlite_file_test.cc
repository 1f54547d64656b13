// What only a file can show: that it is there again.
#include "base/manual_clock.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/store/suite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;

class SqliteFileTest : public testing::Test {
 protected:
  SqliteFileTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~SqliteFileTest() override { std::filesystem::remove_all(folder_); }

  Result<std::unique_ptr<Store>> open() {
    return open_sqlite({.path = path_, .now = [this] { return clock_.wall_now(); }});
  }
  void run_sql(const char* sql) {
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &connection), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(connection);
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("belfry_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::string path_ = folder_ / "belfry.db";
  ManualClock clock_{kStart};
};

TEST_F(SqliteFileTest, ReopeningKeepsEverything) {
  const OwnershipStore::Node node{Incarnation({1, 2}), "node", RegionNo(0)};
  JobStore::NewJob wanted{.tenant = TenantId(1)};
  wanted.definition.name = "a";
  wanted.definition.policies.overlap = core::OverlapPolicy::kAllow;
  JobRow job;
  ClaimedRun run;
  {
    const auto store = must(open());
    must(store->renew(node, 1h));
    const auto owned = must(store->acquire(node, 256));
    job = must(store->create_jobs({&wanted, 1})).at(0);
    clock_.advance(60s);
    PartitionDecision made{.partition = partition_of(job.id),
                           .epoch = owned.at(0).epoch,
                           .version = JobsVersion(1),
                           .from = kStart,
                           .to = kStart + 60s};
    made.decisions.runs = {{job.id, Tick(kStart + 30s)}, {job.id, Tick(kStart + 60s)}};
    EXPECT_EQ(must(store->decide(node.incarnation, {&made, 1})).runs, 2U);
    run = must(store->claim({.job_types = {"default"}, .takers = {{.worker = "w"}}})).at(0);
  }
  const auto store = must(open());
  EXPECT_EQ(must(store->renew(node, 1h)).mine.size(), 256U);
  EXPECT_EQ(must(store->find_job(TenantId(1), "a")).id, job.id);
  const PartitionJobs jobs = must(store->load_partition(partition_of(job.id)));
  EXPECT_EQ(jobs.decided_through, kStart + 60s);
  EXPECT_EQ(jobs.version, JobsVersion(1));
  const AttemptEnd end{.grant = {run.run, run.fence}, .next = core::RunState::kSucceeded};
  EXPECT_EQ(must(store->end_attempts({&end, 1})), std::vector({true}));
  const auto next = must(store->claim({.job_types = {"default"}, .takers = {{.worker = "w"}}}));
  EXPECT_GT(next.at(0).fence, run.fence);
  wanted.definition.name = "b";
  EXPECT_GT(must(store->create_jobs({&wanted, 1})).at(0).id.value() >> 16, job.id.value() >> 16);
}

TEST_F(SqliteFileTest, ANewerSchemaIsRefused) {
  must(open());
  run_sql("insert into schema_migrations values (9999, 'later', 0)");
  const auto refused = open();
  ASSERT_EQ(code_of(refused), Errc::kInvalid);
  EXPECT_NE(refused.error().message.find("newer"), std::string::npos);
}

TEST_F(SqliteFileTest, AFolderThatIsMissingIsUnavailable) {
  const auto refused =
      open_sqlite({.path = folder_ / "no" / "belfry.db", .now = [] { return kStart; }});
  EXPECT_EQ(code_of(refused), Errc::kUnavailable);
}

TEST_F(SqliteFileTest, AFileThatIsNoDatabaseIsAnInternalError) {
  std::filesystem::copy_file("/proc/self/exe", path_);
  EXPECT_EQ(code_of(open()), Errc::kInternal);
}

}  // namespace
}  // namespace belfry::store
