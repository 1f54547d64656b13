// What an earlier version began goes on: its runs end, its ticks are decided, its jobs change.
#include "core/queue.h"
#include "tests/store/upgrade_suite.h"

#include <set>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::RunState;
using Outcome = core::AttemptOutcome;

class UpgradedWorkTest : public UpgradeTest {
 protected:
  void a_run_goes_on_waiting_for_another_of_its_job() {
    const JobRow line = job(kAcme, "line");
    EXPECT_TRUE(claim("lines").empty());
    const RunRow first = run(line, 720);
    EXPECT_TRUE(end({first.run, first.fence}));
    const auto next = claim("lines");
    ASSERT_EQ(next.size(), 1U);
    EXPECT_EQ(next[0].run.key, core::run_key_of(tick(780)));
    EXPECT_TRUE(end({next[0].run, next[0].fence}));
  }

  void running_attempts_end_under_their_fences() {
    const JobRow poll = job(kOwn, "poll");
    const RunRow running = run(poll, 660);
    EXPECT_EQ(running.state, RunState::kRunning);
    EXPECT_EQ(running.worker, "worker-2");
    EXPECT_EQ(running.lease_until, kStart + 1261s);
    const RunGrant grant{running.run, running.fence};
    EXPECT_EQ(must(store().heartbeat({&grant, 1}, 30s)).at(0), HeartbeatAnswer::kExtended);
    EXPECT_TRUE(end(grant));
    EXPECT_EQ(run(poll, 660).state, RunState::kSucceeded);
    const auto attempts = must(store().attempts_of(running.run));
    ASSERT_EQ(attempts.size(), 1U);
    EXPECT_EQ(attempts[0].fence, running.fence);
    EXPECT_EQ(attempts[0].started_at, kStart + 661s);
  }

  void waiting_runs_are_claimed_where_they_belong() {
    const JobRow poll = job(kOwn, "poll");
    const auto newest = run(job(kAcme, "line"), 720).fence;
    std::vector<ClaimedRun> all = claim("default");
    ASSERT_EQ(all.size(), 1U);  // one retries later, and the webhook is not for workers
    EXPECT_EQ(all[0].run.key, core::run_key_of(tick(720)));
    EXPECT_EQ(all[0].payload, "[1,2]");

    const auto hooks = claim(core::http_queue());
    ASSERT_EQ(hooks.size(), 1U);
    EXPECT_EQ(hooks[0].job_name, "hook");
    EXPECT_EQ(hooks[0].tenant, kAcme);

    const auto reports = claim("reports");
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_EQ(reports[0].payload, R"({"pages":2})");

    clock_.set_wall(kStart + 1202s);
    const auto again = claim("default");
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].run.key, core::run_key_of(tick(600)));
    EXPECT_EQ(again[0].attempt, AttemptNo(2));

    for (const auto& some : {hooks, reports, again}) all.push_back(some.at(0));
    std::set<Fence> fences;
    for (const ClaimedRun& claimed : all) {
      EXPECT_GT(claimed.fence, newest);
      fences.insert(claimed.fence);
    }
    EXPECT_EQ(fences.size(), 4U);
    clock_.set_wall(kStart + 1210s);
    EXPECT_TRUE(end({again[0].run, again[0].fence}));
    EXPECT_EQ(run(poll, 600).state, RunState::kSucceeded);
    EXPECT_EQ(must(store().attempts_of(again[0].run)).size(), has_history() ? 2U : 1U);
  }

  void what_is_over_is_run_again() {
    if (!has_history()) return;  // nothing is over
    const JobRow poll = job(kOwn, "poll");
    const JobRow report = job(kOwn, "report");
    EXPECT_EQ(must(store().retry_run(run(poll, 120).run, core::RunKey(-1))).state,
              RunState::kReady);
    EXPECT_EQ(claim("default").size(), 1U);
    // Run keys chosen by people are kept, and so is their payload, since there is a column for it.
    const core::RunRef by_hand{report.id, core::RunKey(-7)};
    EXPECT_EQ(must(store().find_run(by_hand)).payload,
              version() < 3 ? R"({"pages":2})" : R"({"by":"hand"})");
    const RunRow fresh = must(store().retry_run(by_hand, core::RunKey(-8)));
    EXPECT_EQ(fresh.origin, core::RunOrigin::kRetry);
    EXPECT_EQ(fresh.scheduled_for, kStart + 200s);
  }

  void ticks_are_decided_from_where_they_were() {
    const auto membership = must(store().renew(node(), 1h));
    ASSERT_EQ(membership.mine.size(), 256U);
    const JobRow poll = job(kOwn, "poll");
    const JobRow nightly = job(kOwn, "nightly");
    std::vector<PartitionDecision> decisions;
    for (const OwnedPartition& mine : membership.mine) {
      if (mine.partition != partition_of(poll.id) && mine.partition != partition_of(nightly.id)) {
        continue;
      }
      const auto loaded = must(store().load_partition(mine.partition));
      EXPECT_EQ(loaded.jobs.size(), 1U);
      EXPECT_EQ(loaded.version, mine.version);
      EXPECT_EQ(changes_since(store(), mine.partition, JobsVersion(0)).value().jobs.size(), 1U);
      decisions.push_back({.partition = mine.partition,
                           .epoch = Epoch(1),
                           .version = mine.version,
                           .from = mine.decided_through,
                           .to = kStart + 780s});
      if (mine.partition == partition_of(poll.id)) {
        EXPECT_EQ(mine.decided_through, kStart + 720s);
        decisions.back().decisions.runs = {{poll.id, tick(780)}};
      } else {
        EXPECT_EQ(mine.decided_through, kStart + 600s);
        decisions.back().decisions.skips = {
            {nightly.id, tick(780), tick(780), 1, core::SkipReason::kPaused}};
      }
    }
    const auto decided = must(store().decide(node().incarnation, decisions));
    for (const PartitionOutcome& partition : decided.partitions) {
      EXPECT_EQ(partition.outcome, DecideOutcome::kDecided);
    }
    EXPECT_EQ(run(poll, 780).state, RunState::kReady);
    // The open skip is the one that grows.
    const auto skips = must(store().skips_of(nightly.id));
    ASSERT_EQ(skips.size(), 1U);
    EXPECT_EQ(skips[0].first, tick(100));
    EXPECT_EQ(skips[0].last, tick(780));
    EXPECT_EQ(skips[0].count, 6);
  }

  void names_and_places_of_deleted_jobs_are_free() {
    EXPECT_EQ(code_of(store().find_job(kOwn, "gone")), Errc::kNotFound);
    must(add(kOwn, "gone"));
    EXPECT_GT(job(kOwn, "gone").id.value() >> 16, 8U);
    EXPECT_GT(must(store().put_tenant({.name = "next"})).value(), 2U);
    Tenant acme = must(store().find_tenant(kAcme));
    acme.max_jobs = 4;
    must(store().put_tenant(acme));
    must(add(kAcme, "fourth"));
    EXPECT_EQ(code_of(add(kAcme, "fifth")), Errc::kQuotaExceeded);
  }

  void calendars_are_followed() {
    if (version() < 5) return;  // there were no calendars
    EXPECT_EQ(must(store().find_calendar(kAcme, "holidays")).rules,
              (std::vector<std::string>{"2027-12-25", "2028-01-01"}));
    EXPECT_TRUE(must(store().jobs_behind(10)).empty());
    must(store().put_calendar(kAcme, "holidays", {"2027-12-25"}, {}));
    EXPECT_EQ(must(store().jobs_behind(10)), std::vector{job(kAcme, "closed").id});
  }

 private:
  std::vector<ClaimedRun> claim(const std::string& queue) {
    return must(test::claim(
        store(),
        {.job_types = {queue}, .takers = {{.worker = "today", .max_runs = 10}}, .tenant = {}}));
  }
  bool end(const RunGrant& grant, RunState next = RunState::kSucceeded) {
    const AttemptEnd ended{.grant = grant, .outcome = Outcome::kSucceeded, .next = next};
    return must(store().end_attempts({&ended, 1})).at(0);
  }
  Status add(TenantId tenant, const std::string& name) {
    JobStore::NewJob wanted{.tenant = tenant, .region = RegionNo(0)};
    wanted.definition.name = name;
    wanted.definition.schedule.cron_expression = "* * * * *";
    BELFRY_TRY(made, store().create_jobs({&wanted, 1}));
    return {};
  }
};

TEST_P(UpgradedWorkTest, GoesOn) {
  a_run_goes_on_waiting_for_another_of_its_job();
  running_attempts_end_under_their_fences();
  waiting_runs_are_claimed_where_they_belong();
  what_is_over_is_run_again();
  ticks_are_decided_from_where_they_were();
  names_and_places_of_deleted_jobs_are_free();
  calendars_are_followed();
}

INSTANTIATE_TEST_SUITE_P(Landed, UpgradedWorkTest, testing::ValuesIn(landed_versions()), name_of);

}  // namespace
}  // namespace belfry::store
