#pragma once

#include "base/manual_clock.h"
#include "store/store.h"
#include "tests/support/handing_out.h"
#include "tests/support/must.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

// One suite for every store: a test binary is these files and one that defines factories().
namespace belfry::store {

// A fresh store with nothing in it but the defaults, and the clock it takes its "now" from.
class StoreFixture {
 public:
  virtual ~StoreFixture() = default;
  virtual Store& store() = 0;
  virtual ManualClock& clock() = 0;
};

struct StoreFactory {
  std::string name;  // letters and digits
  std::function<std::unique_ptr<StoreFixture>()> make;
};

inline void PrintTo(const StoreFactory& factory, std::ostream* out) {
  *out << factory.name;
}

// The stores to test; each binary has its own.
std::vector<StoreFactory> factories();

// When a fixture's clock begins: 2027-01-15T08:00:00Z.
inline constexpr Instant kStart = from_unix_seconds(1'800'000'000);

// Who changes things, for the audit.
inline const Author kAlice{.actor = "alice", .request_id = "req-1"};

using test::code_of;
using test::must;

// The changes of one partition, all jobs of it whole; kConflict if the store no longer knows them.
inline Result<PartitionJobs> changes_since(Store& store, PartitionNo partition, JobsVersion known) {
  const KnownJobs asked{partition, known};
  BELFRY_TRY(changes, store.load_changes({&asked, 1}));
  if (!changes.front()) return fail(Errc::kConflict, "not known any more");
  BriefPartition& changed = *changes.front();
  PartitionJobs jobs{.decided_through = changed.decided_through, .version = changed.version};
  std::vector<JobId> others = changed.gone;
  for (const BriefJob& job : changed.brief) others.push_back(job.id);
  BELFRY_TRY(whole, store.load_jobs(others));
  jobs.jobs = std::move(changed.whole);
  jobs.jobs.insert(jobs.jobs.end(), whole.begin(), whole.end());
  return jobs;
}

class StoreTest : public testing::TestWithParam<StoreFactory> {
 protected:
  using Node = OwnershipStore::Node;
  using Change = JobStore::JobChange;

  StoreTest() : fixture_(GetParam().make()) {}

  Store& store() { return fixture_->store(); }
  ManualClock& clock() { return fixture_->clock(); }
  Instant now() { return clock().wall_now(); }
  void pass(Duration duration) { clock().advance(duration); }

  static Node node(std::uint64_t number, RegionNo region = RegionNo(0)) {
    return {Incarnation({0xfedcba9876543210, number}), "node-" + std::to_string(number), region};
  }
  // Node 1 takes all of region 0 and keeps it for a day.
  void own_everything();

  static JobStore::NewJob new_job(const std::string& name, core::OverlapPolicy overlap,
                                  TenantId tenant = TenantId(1));
  JobRow add(const JobStore::NewJob& job);
  JobRow add_job(const std::string& name,
                 core::OverlapPolicy overlap = core::OverlapPolicy::kAllow) {
    return add(new_job(name, overlap));
  }

  // A decision of the job's partition from where it stands to `to`, as its owner may make it; the
  // test adds the fates.
  PartitionDecision decision(JobId job, Instant to, std::uint64_t owner = 1);
  DecideResult decide(const PartitionDecision& decision, std::uint64_t owner = 1);
  // Lets time pass until the last of these ticks (seconds after kStart), and decides runs for them.
  DecideResult decide_runs(JobId job, const std::vector<int>& seconds);
  static Tick tick(int seconds) { return Tick(kStart + std::chrono::seconds(seconds)); }
  static core::RunRef ref(JobId job, int seconds) { return {job, core::run_key_of(tick(seconds))}; }

  std::vector<ClaimedRun> claim(std::size_t most, const std::string& type = "default");
  static RunGrant grant_of(const ClaimedRun& run) { return {run.run, run.fence}; }
  static AttemptEnd success(const RunGrant& grant) {
    return {.grant = grant,
            .outcome = core::AttemptOutcome::kSucceeded,
            .next = core::RunState::kSucceeded};
  }
  static AttemptEnd failure(const RunGrant& grant, Duration wait) {
    return {.grant = grant,
            .outcome = core::AttemptOutcome::kFailed,
            .next = core::RunState::kRetrying,
            .wait = wait,
            .error = "failed"};
  }
  bool end(const AttemptEnd& end) { return must(store().end_attempts({&end, 1})).at(0); }
  HeartbeatAnswer beat(const RunGrant& grant, Duration lease) {
    return must(store().heartbeat({&grant, 1}, lease)).at(0);
  }
  JobsVersion version_of(PartitionNo partition) {
    return must(store().load_partition(partition)).version;
  }

 private:
  std::unique_ptr<StoreFixture> fixture_;
};

// To be written once for each fixture.
#define BELFRY_FOR_EACH_STORE(Fixture)                                      \
  INSTANTIATE_TEST_SUITE_P(Stores, Fixture, testing::ValuesIn(factories()), \
                           [](const auto& param) { return param.param.name; })

}  // namespace belfry::store
