#pragma once

#include "base/manual_clock.h"
#include "engine/dispatch/dispatch.h"
#include "engine/dispatch/live_runs.h"
#include "engine/observer.h"
#include "store/sqlite/sqlite_store.h"
#include "store/wrappers/faulty_store.h"
#include "tests/support/handing_out.h"
#include "tests/support/must.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::engine {

using test::must;

// A real store in memory with a bad connection, and runs in it, for tests of what hands them out.
class DispatchFixture : public testing::Test {
 protected:
  using AskId = engine::ClaimId;
  using ClaimedRun = store::ClaimedRun;
  using Completion = engine::Completion;
  using CompletionAnswer = engine::CompletionAnswer;
  using RunGrant = store::RunGrant;

  DispatchFixture()
      : clock_(from_unix_seconds(1'800'000'000), BootInstant(std::chrono::hours(1))),
        truth_(must(
            store::open_sqlite({.path = ":memory:", .now = [this] { return clock_.wall_now(); }}))),
        store_(*truth_, [this](std::string_view transaction) { return fault_of(transaction); }),
        live_({store_, store_}, [this] { return clock_.wall_now(); }, Rng(1)) {
    for (int i = 0; i < kPartitionCount; ++i) live_.own(PartitionNo(static_cast<std::uint16_t>(i)));
    catch_up();
  }
  // Lets the node learn what has happened to live runs.
  void catch_up() {
    live_.look_at(must(truth_->await_hints({})));
    must(live_.run_once(now()));
  }

  BootInstant now() const { return clock_.boot_now(); }
  void pass(Duration time) { clock_.advance(time); }

  JobId add_job(const std::string& type = "default",
                core::OverlapPolicy overlap = core::OverlapPolicy::kAllow,
                TenantId tenant = TenantId(1)) {
    store::JobStore::NewJob job{.tenant = tenant, .region = RegionNo(0)};
    job.definition.name = "job" + std::to_string(++jobs_);
    job.definition.job_type = type;
    job.definition.schedule.cron_expression = "0 0 1 1 *";
    job.definition.policies.overlap = overlap;
    return must(truth_->create_jobs({&job, 1})).at(0).id;
  }
  // Runs that are due now.
  void trigger(JobId job, int count) {
    for (int i = 0; i < count; ++i)
      must(truth_->trigger({.job = job, .key = core::RunKey(--key_)}));
  }
  std::vector<ClaimedRun> claim(std::size_t most) {
    return must(test::claim(
        *truth_, {.job_types = {"default"}, .takers = {{.worker = "w", .max_runs = most}}}));
  }
  store::RunRow row_of(const core::RunRef& run) {
    for (const store::RunRow& row : must(truth_->runs_of(run.job))) {
      if (row.run == run) return row;
    }
    ADD_FAILURE() << "no such run";
    return {};
  }
  static RunGrant grant_of(const ClaimedRun& run) { return {run.run, run.fence}; }

  int calls(const std::string& transaction) { return calls_[transaction]; }
  // The fault of the next call of a transaction, and what happens meanwhile.
  void next(const std::string& transaction, store::Fault fault) { faults_[transaction] = fault; }
  void during(const std::string& transaction, std::function<void()> action) {
    actions_[transaction] = std::move(action);
  }

  ManualClock clock_;
  std::unique_ptr<store::Store> truth_;
  store::FaultyStore store_;
  LiveRuns live_;
  Observer observer_;

 private:
  store::Fault fault_of(std::string_view transaction) {
    const std::string name(transaction);
    ++calls_[name];
    if (const auto action = std::exchange(actions_[name], nullptr)) action();
    return std::exchange(faults_[name], store::Fault::kNone);
  }

  int jobs_ = 0;
  std::int64_t key_ = 0;
  std::map<std::string, int> calls_;
  std::map<std::string, store::Fault> faults_;
  std::map<std::string, std::function<void()>> actions_;
};

}  // namespace belfry::engine
