// What only a file can show: that everything is still there after reopening.
#include "base/manual_clock.h"
#include "store/common/checkin_tokens.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/store/suite.h"
#include "tests/support/folder.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <filesystem>
#include <map>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;

class SqliteFileTest : public testing::Test {
 protected:
  Result<std::unique_ptr<Store>> open() {
    return open_sqlite({.path = path_, .now = [this] { return clock_.wall_now(); }});
  }
  void run_sql(const char* sql) {
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &connection), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(connection);
  }

  // The first column.
  std::vector<std::string> rows_of(const char* sql) {
    sqlite3* connection = nullptr;
    EXPECT_EQ(sqlite3_open(path_.c_str(), &connection), SQLITE_OK);
    std::vector<std::string> rows;
    const auto add = [](void* to, int, char** columns, char**) {
      static_cast<std::vector<std::string>*>(to)->emplace_back(columns[0]);
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(connection, sql, add, &rows, nullptr), SQLITE_OK);
    sqlite3_close(connection);
    return rows;
  }

  const test::Folder folder_;
  const std::string path_ = folder_.path() / "belfry.db";
  ManualClock clock_{kStart};
};

TEST_F(SqliteFileTest, WhoDidWhatIsRecorded) {
  const auto store = must(open());
  JobStore::NewJob wanted{.tenant = TenantId(1)};
  wanted.definition.name = "a";
  const Author ann{"ann", "r1"};
  const JobRow job = must(store->register_jobs({.jobs = {&wanted, 1}, .author = ann})).at(0).job;
  wanted.definition.payload = "[1]";
  must(store->register_jobs({.jobs = {&wanted, 1}, .replace = true, .author = ann}));
  must(store->change_job({.job = job.id,
                          .status = core::JobStatus::kPaused,
                          .pause_note = "re\"pairs",
                          .author = ann}));
  const core::RunRef run{job.id, core::RunKey(-7)};
  must(store->trigger({.job = run.job, .key = run.key, .author = ann}));
  must(store->cancel_run(run, ann));
  must(store->retry_run({.run = run, .fresh = core::RunKey(-9), .author = ann}));
  must(store->backfill({.job = job.id, .ticks = {{Tick(kStart - 60s), 0s}}, .author = ann}));
  const std::string id = std::to_string(job.id.value());
  EXPECT_EQ(rows_of("select action || ' ' || object from audit order by seq"),
            (std::vector<std::string>{
                "job.create job:" + id, "job.update job:" + id, "job.pause job:" + id,
                "run.trigger run:" + id + ":-7", "run.cancel run:" + id + ":-7",
                "run.retry run:" + id + ":-7",
                "run.backfill run:" + id + ":" + std::to_string((kStart - 60s).micros())}));
  EXPECT_EQ(rows_of("select actor || detail from audit where action = 'job.update'"),
            std::vector<std::string>{R"(ann{"request_id":"r1","job_name":"a","revision_before":1,)"
                                     R"("revision_after":2,"changed":["payload"],"note":""})"});
  EXPECT_EQ(rows_of("select detail ->> 'note' from audit where action = 'job.pause'"),
            std::vector<std::string>{"re\"pairs"});
  // What the engine does by itself is nobody's deed.
  must(store->change_job({.job = job.id, .status = core::JobStatus::kCompleted}));
  EXPECT_EQ(rows_of("select seq from audit").size(), 7U);
  clock_.advance(24h * 401);
  must(store->keep_history(24h));
  EXPECT_TRUE(rows_of("select seq from audit").empty());
}

TEST_F(SqliteFileTest, NoTokenOfACheckInStaysInTheClear) {
  const auto store = must(open());
  const Incarnation node({1, 2});
  JobStore::NewJob wanted{.tenant = TenantId(1)};
  wanted.definition.name = "a";
  const JobRow job = must(store->create_jobs({&wanted, 1})).at(0);
  must(store->put_checkin(job.id, "one", {}));
  EXPECT_EQ(rows_of("select token from checkins"), std::vector{digest_of_token("one")});
  run_sql("update checkins set token = 'of an earlier version'");
  EXPECT_EQ(must(store->find_checkin("of an earlier version")).job, job.id);
  EXPECT_EQ(must(store->digest_tokens(node, 10)), 1U);
  EXPECT_EQ(must(store->digest_tokens(node, 10)), 0U);
  EXPECT_EQ(must(store->find_checkin("of an earlier version")).job, job.id);
  EXPECT_EQ(rows_of("select token from checkins"),
            std::vector{digest_of_token("of an earlier version")});
}

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
    EXPECT_EQ(must(store->decide(node.incarnation, {&made, 1})).runs.size(), 2U);
    run = must(test::claim(*store, {.job_types = {"default"}, .takers = {{.worker = "w"}}})).at(0);
  }
  const auto store = must(open());
  EXPECT_EQ(must(store->renew(node, 1h)).mine.size(), 256U);
  EXPECT_EQ(must(store->find_job(TenantId(1), "a")).id, job.id);
  const PartitionJobs jobs = must(store->load_partition(partition_of(job.id)));
  EXPECT_EQ(jobs.decided_through, kStart + 60s);
  EXPECT_EQ(jobs.version, JobsVersion(1));
  const AttemptEnd end{.grant = {run.run, run.fence}, .next = core::RunState::kSucceeded};
  EXPECT_EQ(must(store->end_attempts({&end, 1})), std::vector({true}));
  const auto next =
      must(test::claim(*store, {.job_types = {"default"}, .takers = {{.worker = "w"}}}));
  EXPECT_GT(next.at(0).fence, run.fence);
  wanted.definition.name = "b";
  EXPECT_GT(must(store->create_jobs({&wanted, 1})).at(0).id.value() >> 16, job.id.value() >> 16);
}

// The file system, but for writes that find the disk full while somebody says so.
class FullDisk {
 public:
  FullDisk() {
    real_ = sqlite3_vfs_find(nullptr);
    vfs_ = *real_;
    vfs_.zName = "full-disk";
    vfs_.xOpen = open;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~FullDisk() {
    sqlite3_vfs_unregister(&vfs_);
    is_full_ = false;
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

  static void set_full(bool is_full) { is_full_ = is_full; }

 private:
  static int open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* out) {
    const int code = real_->xOpen(real_, name, file, flags, out);
    if (file->pMethods == nullptr) return code;
    write_ = file->pMethods->xWrite;  // the same for all kinds of files
    sqlite3_io_methods& methods = methods_[file->pMethods];
    methods = *file->pMethods;
    methods.xWrite = write;
    file->pMethods = &methods;
    return code;
  }
  static int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    return is_full_ ? SQLITE_FULL : write_(file, data, size, at);
  }

  inline static sqlite3_vfs* real_ = nullptr;
  inline static std::map<const sqlite3_io_methods*, sqlite3_io_methods> methods_;
  inline static int (*write_)(sqlite3_file*, const void*, int, sqlite3_int64) = nullptr;
  inline static std::atomic<bool> is_full_ = false;
  sqlite3_vfs vfs_{};
};

TEST_F(SqliteFileTest, AFullDiskIsCertainThatNothingChanged) {
  const FullDisk disk;
  {
    const auto store = must(open());
    JobStore::NewJob wanted{.tenant = TenantId(1)};
    wanted.definition.name = "a";
    FullDisk::set_full(true);
    const auto refused = store->register_jobs({.jobs = {&wanted, 1}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::kUnavailable) << to_string(refused.error());
    FullDisk::set_full(false);
    EXPECT_EQ(store->find_job(TenantId(1), "a").error().code, Errc::kNotFound);
    EXPECT_TRUE(store->register_jobs({.jobs = {&wanted, 1}}));
  }
  EXPECT_EQ(must(must(open())->find_job(TenantId(1), "a")).definition.name, "a");
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
      open_sqlite({.path = folder_.path() / "no" / "belfry.db", .now = [] { return kStart; }});
  EXPECT_EQ(code_of(refused), Errc::kUnavailable);
}

TEST_F(SqliteFileTest, AFileThatIsNoDatabaseIsAnInternalError) {
  std::filesystem::copy_file("/proc/self/exe", path_);
  EXPECT_EQ(code_of(open()), Errc::kInternal);
}

}  // namespace
}  // namespace belfry::store
