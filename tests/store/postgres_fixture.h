#pragma once

#include "base/manual_clock.h"
#include "base/real_clock.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/wire/connection.h"
#include "tests/support/eventually.h"
#include "tests/support/handing_out.h"
#include "tests/support/must.h"
#include "tests/support/postgres_server.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace belfry::store {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

inline constexpr Instant kStart = from_unix_seconds(1'800'000'000);

using test::code_of;
using test::must;

// A fresh database on the shared server, any number of stores on it, and direct access beside them.
class PostgresTest : public testing::Test {
 protected:
  using Node = OwnershipStore::Node;

  PostgresTest() : PostgresTest(server()) {}
  explicit PostgresTest(test::PostgresServer& on) : url_(on.fresh_database()), store_(open()) {}

  static test::PostgresServer& server() { return test::PostgresServer::shared(); }

  PostgresOptions options() {
    return {.url = url_, .call_deadline = test::kPatience, .now_override = [this] {
              return std::optional(clock_.wall_now());
            }};
  }
  std::unique_ptr<Store> open() { return open(options()); }
  static std::unique_ptr<Store> open(PostgresOptions options) {
    return must(open_postgres(std::move(options)));
  }
  Store& store() { return *store_; }

  // Runs a statement of the test's own; returns the first column of the first row, as a number.
  std::int64_t sql(const std::string& statement) {
    const RealClock clock;
    postgres::Connection connection({.url = url_, .prepare = false}, clock);
    const BootInstant deadline = clock.boot_now() + test::kPatience;
    must(connection.open(deadline));
    const auto reply =
        connection.run(statement, postgres::Params(), postgres::Effect::kCommits, deadline);
    if (!reply) {
      ADD_FAILURE() << to_string(reply.error());
      return 0;
    }
    return reply->empty() ? 0 : reply->row(0).number();
  }
  // Cuts every other connection to the database.
  void cut_connections() {
    sql("select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity "
        "where datname = current_database() and pid <> pg_backend_pid()");
  }

  static Node node(std::uint64_t number) {
    return {Incarnation({0xfedcba9876543210, number}), "node-" + std::to_string(number),
            RegionNo(0)};
  }
  void own_everything() {
    must(store().renew(node(1), hours(24)));
    EXPECT_EQ(must(store().acquire(node(1), 256)).size(), 256U);
  }

  static JobStore::NewJob new_job(const std::string& name, core::OverlapPolicy overlap,
                                  TenantId tenant = TenantId(1)) {
    JobStore::NewJob job{.tenant = tenant, .region = RegionNo(0)};
    job.definition.name = name;
    job.definition.schedule.cron_expression = "* * * * *";
    job.definition.policies.overlap = overlap;
    return job;
  }
  JobRow add_job(const std::string& name, core::OverlapPolicy overlap = core::OverlapPolicy::kAllow,
                 TenantId tenant = TenantId(1)) {
    const JobStore::NewJob job = new_job(name, overlap, tenant);
    return must(store().create_jobs({&job, 1})).at(0);
  }

  static Tick tick(int second) { return Tick(kStart + seconds(second)); }

  // What the owner of the job's partition may decide up to `to`, once that time has come; the test
  // adds the fates.
  PartitionDecision decision(JobId job, Instant to, std::uint64_t owner = 1) {
    if (clock_.wall_now() < to) clock_.advance(to - clock_.wall_now());
    for (const OwnedPartition& mine : must(store().renew(node(owner), hours(24))).mine) {
      if (mine.partition != partition_of(job)) continue;
      return {.partition = mine.partition,
              .epoch = mine.epoch,
              .version = mine.version,
              .from = mine.decided_through,
              .to = to};
    }
    ADD_FAILURE() << "node " << owner << " does not own the partition";
    return {};
  }
  DecideResult decide(const PartitionDecision& decision, std::uint64_t owner = 1) {
    return must(store().decide(node(owner).incarnation, {&decision, 1}));
  }
  DecideOutcome outcome_of(const PartitionDecision& decision, std::uint64_t owner = 1) {
    return decide(decision, owner).partitions.at(0).outcome;
  }
  DecideResult decide_runs(JobId job, const std::vector<int>& at) {
    PartitionDecision made = decision(job, tick(at.back()).instant());
    for (const int second : at) made.decisions.runs.push_back({job, tick(second)});
    return decide(made);
  }

  std::vector<ClaimedRun> claim(std::size_t most) {
    return must(test::claim(
        store(), {.job_types = {"default"}, .takers = {{.worker = "w", .max_runs = most}}}));
  }
  static RunGrant grant_of(const ClaimedRun& run) { return {run.run, run.fence}; }
  static AttemptEnd success(const RunGrant& grant) {
    return {.grant = grant,
            .outcome = core::AttemptOutcome::kSucceeded,
            .next = core::RunState::kSucceeded};
  }

  ManualClock clock_{kStart};
  std::string url_;
  std::unique_ptr<Store> store_;
};

}  // namespace belfry::store
