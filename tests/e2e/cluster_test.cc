// Real nodes on a real PostgreSQL: they share the partitions, and one does what another
// leaves undone.
//
// How late a tick was is read off the ledger: `decided_at` against `scheduled_for`, both by the
// database's clock. A busy machine makes everything later, so what is asserted is far from what is
// promised, and as far from what happens when the promise is broken: leases and renewals are long
// where nothing may wait for them. The figures themselves are kept as properties of the test.
#include "base/real_clock.h"
#include "store/postgres/postgres_store.h"
#include "tests/support/child_process.h"
#include "tests/support/eventually.h"
#include "tests/support/postgres_server.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <set>
#include <thread>

namespace belfry {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::ChildProcess;
using test::eventually;
using test::PostgresServer;

constexpr int kJobs = 40;

// No node that works takes so long for a tick, whatever else the machine does.
constexpr Duration kVeryLate = seconds(30);

// Lets real time pass: the processes under test live in it.
void pass(Duration time) {
  poll(nullptr, 0, static_cast<int>(std::chrono::duration_cast<milliseconds>(time).count()));
}

// Passes on the hints of this process, as a node does.
class Teller {
 public:
  explicit Teller(store::Store& store) : store_(store), thread_([this] { tell(); }) {}
  ~Teller() {
    ends_ = true;
    store_.interrupt_hints();
    thread_.join();
  }
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;

 private:
  void tell() {
    while (!ends_) {
      const auto hints = store_.await_hints(seconds(1));
      EXPECT_TRUE(hints) << to_string(hints.error());
    }
  }

  store::Store& store_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

store::JobStore::NewJob new_job(core::JobDefinition definition) {
  return {TenantId(1), RegionNo(0), std::move(definition)};
}

class ClusterTest : public testing::Test {
 protected:
  ClusterTest() : url_(PostgresServer::shared().fresh_database()), store_(open()) {}

  std::unique_ptr<store::Store> open() const {
    auto store = store::open_postgres({.url = url_, .call_deadline = test::kPatience});
    EXPECT_TRUE(store) << to_string(store.error());
    return std::move(*store);
  }

  ChildProcess start_node(const std::string& name, const std::vector<std::string>& arguments = {},
                          const std::vector<std::string>& environment = {}) {
    std::vector<std::string> command{BELFRY_BINARY, "serve", "--store",  url_,
                                     "--node-name", name,    "--listen", "127.0.0.1:0"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return {std::move(command), environment};
  }

  // How many partitions each live node owns. The observer joins with a lease that ends at once.
  std::map<std::string, std::size_t> shares() {
    const auto membership =
        store_->renew({Incarnation({9, 9}), "observer", RegionNo(0)}, Duration(1));
    std::map<std::string, std::size_t> result;
    if (!membership) return result;
    for (const auto& node : membership->nodes) {
      if (node.name != "observer") result[node.name] = node.partitions;
    }
    return result;
  }

  bool evenly_shared(std::size_t nodes) {
    const auto owned = shares();
    std::size_t total = 0;
    for (const auto& [name, count] : owned) {
      if (count < 256 / nodes || count > 256 / nodes + 1) return false;
      total += count;
    }
    return owned.size() == nodes && total == 256;
  }

  // Jobs that tick every second, never wait for each other and make up for what was missed:
  // whatever the lateness, each tick is a run.
  void create_jobs() {
    std::vector<store::JobStore::NewJob> jobs;
    for (int i = 0; i < kJobs; ++i) {
      core::JobDefinition job;
      job.name = "every-second-" + std::to_string(i);
      job.schedule.cron_expression = "* * * * * *";
      job.policies.overlap = core::OverlapPolicy::kAllow;
      job.policies.misfire = core::MisfirePolicy::kFireAll;
      jobs.push_back(new_job(job));
    }
    const auto rows = store_->create_jobs(jobs);
    ASSERT_TRUE(rows) << to_string(rows.error());
    for (const auto& row : *rows) jobs_.push_back(row);
    EXPECT_TRUE(store_->await_hints(Duration(0)));  // passes them on
  }

  bool is_decided(Instant through) {
    for (const store::JobRow& job : jobs_) {
      const auto runs = store_->runs_of(job.id);
      if (!runs || runs->empty() || runs->back().scheduled_for < through) return false;
    }
    return true;
  }

  // Every second of every job from its start until now is exactly one run, or will be soon; returns
  // the largest lateness.
  Duration check_every_second() {
    const Instant through = from_unix_seconds(floor_unix_seconds(*store_->clock()));
    EXPECT_TRUE(eventually([&] { return is_decided(through); }));
    Duration latest{};
    for (const store::JobRow& job : jobs_) {
      const auto runs = store_->runs_of(job.id);
      EXPECT_TRUE(runs);
      std::int64_t expected = floor_unix_seconds(job.effective_from) + 1;
      for (const store::RunRow& run : *runs) {
        if (run.scheduled_for > through) break;
        EXPECT_EQ(floor_unix_seconds(run.scheduled_for), expected) << job.definition.name;
        EXPECT_GE(run.decided_at, run.scheduled_for);
        latest = std::max(latest, run.decided_at - run.scheduled_for);
        expected = floor_unix_seconds(run.scheduled_for) + 1;
      }
      EXPECT_EQ(expected, floor_unix_seconds(through) + 1) << job.definition.name;
      const auto skips = store_->skips_of(job.id);
      EXPECT_TRUE(skips && skips->empty()) << job.definition.name << " has skips";
    }
    RecordProperty("latest_ms", static_cast<int>(latest / milliseconds(1)));
    return latest;
  }

  std::string url_;
  std::unique_ptr<store::Store> store_;
  std::vector<store::JobRow> jobs_;
};

TEST_F(ClusterTest, ThreeNodesShareEvenlyAndSurviveAKill) {
  ChildProcess a = start_node("a");
  ChildProcess b = start_node("b");
  ChildProcess c = start_node("c");
  ASSERT_TRUE(eventually([&] { return evenly_shared(3); })) << a.log();
  create_jobs();
  pass(seconds(4));
  b.signal(SIGKILL);
  b.wait();
  ASSERT_TRUE(eventually([&] { return evenly_shared(2); })) << a.log();
  EXPECT_LT(check_every_second(), kVeryLate);
}

// Whatever waited for the lease of the stopped node would be minutes late.
TEST_F(ClusterTest, AStoppedNodeHandsOverAtOnce) {
  const std::vector<std::string> long_lease{"--lease-ttl", "5m"};
  ChildProcess a = start_node("a", long_lease);
  ChildProcess b = start_node("b", long_lease);
  ASSERT_TRUE(eventually([&] { return evenly_shared(2); })) << a.log();
  create_jobs();
  pass(seconds(3));
  b.signal(SIGTERM);
  EXPECT_EQ(b.wait(), 0) << b.log();
  pass(seconds(3));
  EXPECT_LT(check_every_second(), kVeryLate);
}

TEST_F(ClusterTest, AFrozenNodeWritesNothingUnderItsOldEpoch) {
  ChildProcess a = start_node("a");
  ChildProcess b = start_node("b");
  ASSERT_TRUE(eventually([&] { return evenly_shared(2); })) << a.log();
  create_jobs();
  pass(seconds(3));
  b.signal(SIGSTOP);
  ASSERT_TRUE(eventually([&] { return evenly_shared(1); })) << a.log();
  check_every_second();  // the other has decided for it
  b.signal(SIGCONT);
  ASSERT_TRUE(eventually([&] { return evenly_shared(2); })) << b.log();
  check_every_second();
  // Per partition, epochs never go back in the order of the decisions.
  std::map<PartitionNo, std::vector<std::pair<Instant, Epoch>>> written;
  for (const store::JobRow& job : jobs_) {
    const auto runs = store_->runs_of(job.id);
    ASSERT_TRUE(runs);
    for (const auto& run : *runs) {
      written[partition_of(job.id)].emplace_back(run.decided_at, run.epoch);
    }
  }
  for (auto& [partition, rows] : written) {
    std::sort(rows.begin(), rows.end());
    for (std::size_t i = 1; i < rows.size(); ++i) {
      EXPECT_LE(rows[i - 1].second, rows[i].second) << partition.value();
    }
  }
}

TEST_F(ClusterTest, FiringGoesOnAfterARestartOfTheDatabase) {
  ChildProcess a = start_node("a");
  ChildProcess b = start_node("b");
  ASSERT_TRUE(eventually([&] { return evenly_shared(2); })) << a.log();
  create_jobs();
  pass(seconds(3));
  PostgresServer::shared().restart();
  store_ = open();
  check_every_second();  // up to a moment after its return
}

TEST_F(ClusterTest, ANodeWithAWrongWallClockBehavesLikeTheOthers) {
  ChildProcess a = start_node("a");
  ChildProcess late =
      start_node("two-hours-off", {},
                 {std::string("LD_PRELOAD=") + BELFRY_WRONG_CLOCK, "WRONG_CLOCK_SECONDS=7200"});
  ASSERT_TRUE(eventually([&] { return evenly_shared(2); })) << late.log();
  create_jobs();
  pass(seconds(6));
  EXPECT_LT(check_every_second(), kVeryLate);
}

// The test's own process registers; the owner is another, and is told by a hint. Without hints it
// would look when it renews its lease: most ticks would be later than a quarter of that pause.
TEST_F(ClusterTest, AJobRegisteredJustBeforeItsTickFiresAtIt) {
  constexpr std::size_t kRegistrations = 200;
  constexpr Duration kRenewal = seconds(60);
  ChildProcess a = start_node("a", {"--lease-ttl", "3m", "--lease-renew", "60s"});
  ASSERT_TRUE(eventually([&] { return evenly_shared(1); })) << a.log();
  const Teller teller(*store_);
  // On a busy machine a registration may take longer than it is ahead: it came after its tick, and
  // another one is made instead.
  for (std::size_t i = 0; i < 20 * kRegistrations && jobs_.size() < kRegistrations; ++i) {
    core::JobDefinition job;
    job.name = "soon-" + std::to_string(i);
    job.schedule.type = core::ScheduleSpec::Type::kOnce;
    job.schedule.run_at = *store_->clock() + milliseconds(100);
    const auto rows = store_->create_jobs(std::vector{new_job(job)});
    ASSERT_TRUE(rows) << to_string(rows.error());
    if (rows->at(0).effective_from < job.schedule.run_at) jobs_.push_back(rows->at(0));
  }
  ASSERT_EQ(jobs_.size(), kRegistrations);
  EXPECT_TRUE(eventually([&] { return is_decided(jobs_.front().definition.schedule.run_at); }));
  std::vector<Duration> lateness;
  for (const store::JobRow& job : jobs_) {
    const auto runs = store_->runs_of(job.id);
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 1U) << job.definition.name;
    EXPECT_EQ(runs->at(0).scheduled_for, job.definition.schedule.run_at);
    lateness.push_back(runs->at(0).decided_at - runs->at(0).scheduled_for);
  }
  std::sort(lateness.begin(), lateness.end());
  EXPECT_GE(lateness.front(), Duration::zero());
  EXPECT_LT(lateness[kRegistrations / 2], kRenewal / 4);
  RecordProperty("p99_us", static_cast<int>(lateness[kRegistrations * 99 / 100].count()));
  RecordProperty("latest_us", static_cast<int>(lateness.back().count()));
}

}  // namespace
}  // namespace belfry
