// Runs of before went to workers of any region. Where there are several, they still do.
#include "tests/store/upgrade_suite.h"

#include <map>

namespace belfry::store {
namespace {

using core::RunIn;

class UpgradedRegionsTest : public UpgradeTest {
 protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(load()); }

  void open() {
    store_ = must(database_->open(clock_));
    ASSERT_NE(store_, nullptr);
  }
  // Of the job that has a run which waits.
  RunIn run_in_of_job() { return job(kOwn, "report").definition.policies.run_in; }
  std::size_t claimed_in(RegionNo region) {
    return must(test::claim(
                    store(),
                    {.job_types = {"reports"}, .takers = {{.max_runs = 9}}, .region = region}))
        .size();
  }
};

TEST_P(UpgradedRegionsTest, WithOneRegionRunsStayThere) {
  open();
  EXPECT_EQ(run_in_of_job(), RunIn::kHome);
  EXPECT_EQ(claimed_in(RegionNo(1)), 0U);
  EXPECT_EQ(claimed_in(RegionNo(0)), 1U);
}

TEST_P(UpgradedRegionsTest, WithSeveralTheyGoWhereTheyWent) {
  must(database_->run("insert into regions (no, name) values (1, 'far');"));
  open();
  EXPECT_EQ(run_in_of_job(), RunIn::kAny);
  EXPECT_EQ(must(store().revisions_of(job(kOwn, "report").id, {}, 1)).at(0).policies.run_in,
            RunIn::kAny);
  EXPECT_EQ(claimed_in(RegionNo(1)), 1U);
  JobStore::NewJob fresh{.tenant = kOwn, .region = RegionNo(0)};
  fresh.definition.name = "fresh";
  fresh.definition.schedule.cron_expression = "* * * * *";
  EXPECT_EQ(must(store().create_jobs({&fresh, 1})).at(0).definition.policies.run_in, RunIn::kHome);
}

// The last of each dialect whose runs had no region yet: the migration is the same for all.
std::vector<OldVersion> last_versions_without() {
  std::map<std::string, OldVersion> newest;
  for (const OldVersion& version : landed_versions()) {
    if (version.number >= (version.dialect->name == "sqlite" ? 24 : 23)) continue;
    OldVersion& known = newest.try_emplace(version.dialect->name, version).first->second;
    if (version.number > known.number) known = version;
  }
  std::vector<OldVersion> versions;
  for (const auto& [name, version] : newest) versions.push_back(version);
  return versions;
}

INSTANTIATE_TEST_SUITE_P(Before, UpgradedRegionsTest, testing::ValuesIn(last_versions_without()),
                         name_of);

}  // namespace
}  // namespace belfry::store
