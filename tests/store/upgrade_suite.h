#pragma once

#include "tests/store/scratch_database.h"
#include "tests/store/suite.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

// A database with rows that an earlier version left, opened by this program. The rows are in
// upgrades/, whose README tells their story.
namespace belfry::store {

struct OldVersion {
  const Dialect* dialect = nullptr;
  int number = 0;
};

inline void PrintTo(const OldVersion& version, std::ostream* out) {
  *out << version.dialect->name << " " << version.number;
}

// All that have landed: sql/landed.sha256.
std::vector<OldVersion> landed_versions();
std::string name_of(const testing::TestParamInfo<OldVersion>& info);

// Fails with the first line that differs: schemas and tables are too long to print whole.
void expect_same(const std::string& made, const std::string& wanted, const std::string& advice);

class UpgradeTest : public testing::TestWithParam<OldVersion> {
 protected:
  static constexpr TenantId kOwn{1};
  static constexpr TenantId kAcme{2};

  void SetUp() override;

  static int version() { return GetParam().number; }
  static const Dialect& dialect() { return *GetParam().dialect; }
  // PostgreSQL had no history before its second version.
  static bool has_history() { return version() > 1 || dialect().name == "sqlite"; }
  static OwnershipStore::Node node() {
    return {Incarnation({0xfedcba9876543210, 1}), "node-1", RegionNo(0)};
  }
  static Tick tick(int seconds) { return Tick(kStart + std::chrono::seconds(seconds)); }

  Store& store() { return *store_; }
  JobRow job(TenantId tenant, const std::string& name) {
    return must(store().find_job(tenant, name));
  }
  RunRow run(const JobRow& job, int seconds) {
    return must(store().find_run({job.id, core::run_key_of(tick(seconds))}));
  }

  // The end of the story plus ten seconds: all leases still hold.
  ManualClock clock_{kStart + std::chrono::seconds(790)};
  std::unique_ptr<ScratchDatabase> database_ = dialect().make();
  std::unique_ptr<Store> store_;

  // The database as that version left it: its migrations, and its rows.
  void load();
};

}  // namespace belfry::store
