// What an earlier version wrote is all there, unchanged and in today's shape.
#include "core/alerts/rule.h"
#include "tests/store/upgrade_suite.h"
#include "tests/support/process.h"

#include <fmt/format.h>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::JobStatus;
using core::RunState;
using Outcome = core::AttemptOutcome;

// PostgreSQL keeps labels as jsonb, which writes blanks its own way.
std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

class UpgradedRowsTest : public UpgradeTest {
 protected:
  void schema_is_todays() {
    const std::string wanted =
        test::read_file(fmt::format(BELFRY_SOURCE "/sql/{}/schema.sql", dialect().name));
    expect_same(database_->schema(), wanted.substr(wanted.find("\n\n") + 2),
                "a database that was upgraded must be as one that was made today");
  }

  void opening_again_changes_nothing() {
    store_.reset();
    const std::string once = database_->contents();
    EXPECT_NE(once.find("What the board reads."), std::string::npos);
    must(database_->open(clock_));
    expect_same(database_->contents(), once, "opening it again must change nothing");
  }

  void jobs_are_defined_as_they_were() {
    const JobRow report = job(kOwn, "report");
    EXPECT_EQ(report.revision, 2U);
    EXPECT_EQ(report.status, JobStatus::kActive);
    EXPECT_EQ(report.effective_from, kStart + 10s);
    EXPECT_EQ(report.definition.job_type, "reports");
    EXPECT_EQ(report.definition.schedule.cron_expression, "*/5 * * * *");
    EXPECT_EQ(report.definition.schedule.timezone, "Europe/Berlin");
    EXPECT_EQ(report.definition.policies, core::JobPolicies{.priority = 7});
    EXPECT_EQ(report.definition.payload, R"({"pages":2})");
    EXPECT_EQ(without_blanks(report.definition.labels), R"({"env":"prod","team":"data"})");
    EXPECT_EQ(report.definition.description, "What the board reads.");
    EXPECT_EQ(report.created_at, kStart);

    const JobRow poll = job(kOwn, "poll");
    EXPECT_EQ(poll.definition.schedule.type, core::ScheduleSpec::Type::kEvery);
    EXPECT_EQ(poll.definition.schedule.every, 1min);
    EXPECT_EQ(poll.definition.policies,
              (core::JobPolicies{.overlap = core::OverlapPolicy::kAllow, .max_attempts = 2}));
    EXPECT_EQ(poll.definition.payload, "[1,2]");

    const JobRow nightly = job(kOwn, "nightly");
    EXPECT_EQ(nightly.status, JobStatus::kPaused);
    EXPECT_EQ(nightly.paused_until, kStart + 48h);
    EXPECT_EQ(nightly.pause_note, version() < 4 ? "" : "until the move is over");

    const JobRow once = job(kOwn, "once");
    EXPECT_EQ(once.status, JobStatus::kCompleted);
    EXPECT_EQ(once.definition.schedule.run_at, kStart + 60s);

    EXPECT_EQ(job(kAcme, "hook").definition.target,
              R"({"kind":"HTTP","url":"https://example.org/hook"})");
    const JobRow closed = job(kAcme, "closed");
    EXPECT_EQ(closed.definition.schedule.calendar_name, version() < 5 ? "" : "holidays");
    EXPECT_EQ(closed.definition.schedule.calendar_rules,
              version() < 5 ? "" : "2027-12-25\n2028-01-01");
  }

  void jobs_are_listed() {
    using Names = std::vector<std::string>;
    EXPECT_EQ(names({.tenant = kOwn}), (Names{"nightly", "once", "poll", "report"}));
    EXPECT_EQ(names({.tenant = kAcme}), (Names{"closed", "hook", "line"}));
    EXPECT_EQ(names({.tenant = kOwn, .labels = {"team=data"}}), (Names{"nightly", "report"}));
    EXPECT_EQ(names({.tenant = kOwn, .labels = {"team=data", "env=prod"}}), Names{"report"});
    EXPECT_EQ(names({.tenant = kOwn, .status = JobStatus::kPaused}), Names{"nightly"});
    EXPECT_EQ(names({.tenant = kOwn, .status = JobStatus::kCompleted}), Names{"once"});
    EXPECT_EQ(names({.tenant = kAcme, .job_type = "lines"}), Names{"line"});

    const auto revisions = must(store().revisions_of(job(kOwn, "report").id, {}, 10));
    ASSERT_EQ(revisions.size(), 2U);
    for (const RevisionRow& revision : revisions) {
      EXPECT_EQ(revision.name, "report");
      EXPECT_EQ(revision.schedule.cron_expression, "*/5 * * * *");
      EXPECT_EQ(revision.policies, core::JobPolicies{.priority = 7});
      EXPECT_EQ(revision.labels, std::nullopt);
    }
  }

  void history_is_listed() {
    const JobRow poll = job(kOwn, "poll");
    std::vector<RunState> states;
    for (const RunRow& row : must(store().runs_of(poll.id))) states.push_back(row.state);
    std::vector<RunState> wanted{RunState::kRetrying, RunState::kRunning, RunState::kReady};
    if (has_history()) {
      wanted.insert(wanted.begin(), {RunState::kSucceeded, RunState::kDead, RunState::kCancelled});
    }
    EXPECT_EQ(states, wanted);
    if (!has_history()) return;

    const RunRow succeeded = run(poll, 60);
    EXPECT_EQ(succeeded.result, R"({"rows":3})");
    EXPECT_EQ(succeeded.started_at, kStart + 62s);
    EXPECT_EQ(succeeded.finished_at, kStart + 65s);
    EXPECT_EQ(succeeded.node, node().incarnation);
    const RunGrant grant{succeeded.run, succeeded.fence};
    EXPECT_EQ(must(store().outcomes_of({&grant, 1})).at(0), Outcome::kSucceeded);

    const auto dead = must(store().list_runs({.tenant = kOwn, .state = RunState::kDead}, "", 10));
    ASSERT_EQ(dead.runs.size(), 1U);
    EXPECT_EQ(dead.runs[0].run.key, core::run_key_of(tick(120)));
    EXPECT_EQ(dead.runs[0].error, "no answer again");
    EXPECT_EQ(dead.runs[0].max_attempts, 2);
    EXPECT_EQ(dead.runs[0].job_name, "poll");
    const auto attempts = must(store().attempts_of(dead.runs[0].run));
    ASSERT_EQ(attempts.size(), 2U);
    EXPECT_EQ(attempts[0].worker, "worker-1");
    EXPECT_EQ(attempts[0].error, "no answer");
    EXPECT_EQ(attempts[1].worker, "worker-2");
    EXPECT_EQ(attempts[1].outcome, Outcome::kFailed);
    EXPECT_EQ(attempts[1].finished_at, kStart + 131s);
  }

  void skips_are_listed() {
    const JobRow report = job(kOwn, "report");
    const auto skips = must(store().skips_of(report.id));
    ASSERT_EQ(skips.size(), 1U);
    EXPECT_EQ(skips[0].first, tick(300));
    EXPECT_EQ(skips[0].reason, core::SkipReason::kOverlap);
    const auto page =
        must(store().ledger({.job = report.id, .order = Order::kOldestFirst}, "", 10));
    // The manual run, the skip, the waiting run.
    ASSERT_EQ(page.entries.size(), has_history() ? 3U : 2U);
    EXPECT_TRUE(std::holds_alternative<SkipRow>(page.entries.at(page.entries.size() - 2)));
  }

  void tenants_and_keys_are_kept() {
    EXPECT_EQ(must(store().find_tenant("default")).max_jobs, 0);
    const Tenant acme = must(store().find_tenant("acme"));
    EXPECT_EQ(acme.id, kAcme);
    EXPECT_EQ(acme.weight, 3);
    EXPECT_EQ(acme.max_in_flight, 5);
    EXPECT_EQ(acme.max_jobs, version() < 3 ? 100'000 : 500);
    EXPECT_EQ(must(store().any_keys()), version() >= 5);
    if (version() < 5) return;
    KeyHash hash{};
    for (std::size_t i = 0; i < hash.size(); ++i) hash.at(i) = static_cast<std::uint8_t>(i + 1);
    const auto holder = must(store().find_key(hash));
    EXPECT_EQ(holder.key.name, "deploy");
    EXPECT_EQ(holder.key.scope, Scope::kOperator);
    EXPECT_EQ(holder.tenant.id, kAcme);
    const auto keys = must(store().list_keys(kAcme));
    ASSERT_EQ(keys.size(), 2U);
    EXPECT_EQ(keys[0].revoked_at, kStart);
  }

  void deeds_requests_and_events_are_remembered() {
    if (version() < 4) return;  // nobody recorded them
    const auto deeds = must(store().list_audit(kOwn, {}, 100));
    ASSERT_EQ(deeds.size(), 9U);
    EXPECT_EQ(deeds.front().action, "run.trigger");
    EXPECT_EQ(deeds.back().action, "job.create");
    EXPECT_EQ(deeds.back().actor, "ann");
    const JobRow report = job(kOwn, "report");
    const auto repeated = must(store().find_request({kOwn, "key-report", "print-report"}));
    ASSERT_TRUE(repeated);
    EXPECT_EQ(repeated->at(0).job.id, report.id);
    EXPECT_EQ(code_of(store().find_request({kOwn, "key-report", "another"})), Errc::kConflict);
    const auto events = must(store().events_after({}, 1000));
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.front().jobs, (std::vector<JobEvent>{{report.id, 1, JobStatus::kActive}}));
    EXPECT_EQ(events.back().runs,
              (std::vector<RunEvent>{{run(job(kAcme, "line"), 780).run, RunState::kReady}}));
  }

  void logs_are_kept() {
    if (version() < 7) return;  // there were no logs
    const RunLog log = must(store().find_log(run(job(kOwn, "poll"), 660).run, {}));
    EXPECT_EQ(log.log, "half of it\n");
    EXPECT_EQ(log.progress, (RunProgress{1, 2}));
  }

  void later_tables_are_kept() {
    if (since(12)) {
      EXPECT_EQ(names({.tenant = kOwn, .failing = true}), std::vector<std::string>{"poll"});
      EXPECT_EQ(run(job(kOwn, "poll"), 120).reason, core::DeadReason::kAttempts);
    }
    if (since(13)) {
      const auto keys = must(store().list_keys(kAcme));
      EXPECT_TRUE(keys.at(1).may_exec);
      EXPECT_EQ(keys.at(1).last_used_at, kStart + 600s);
    }
    if (since(14)) {
      EXPECT_EQ(must(store().find_secret(kAcme, "hook-key")).updated_by, "ann");
      EXPECT_EQ(must(store().seal_keys()), std::vector<std::string>{"0102030405060708"});
    }
    if (since(15)) {
      EXPECT_EQ(must(store().find_bulk(kOwn, 1)).state, BulkState::kDone);
    }
    if (since(16)) {
      EXPECT_TRUE(
          core::read_alert_rule("polls", must(store().find_alert_rule(kOwn, "polls")).definition));
      EXPECT_EQ(must(store().list_alert_silences(kOwn)).size(), 1U);
      EXPECT_EQ(must(store().list_alerts(kOwn, true, 0, 10)).at(0).subject, "job:131132");
      EXPECT_EQ(must(store().begin_alert_look()).before, kStart + 140s);
    }
    if (since(18)) {
      EXPECT_EQ(must(store().find_checkin("a-token-of-the-line")).job, job(kAcme, "line").id);
    }
    what_came_after_checkins_is_kept();
  }

  void what_came_after_checkins_is_kept() {
    if (since(21)) {
      const JobType reports = must(store().find_type(kOwn, "reports"));
      EXPECT_EQ(reports.limits,
                (core::TypeLimits{.max_concurrent = 2, .starts = 10, .per = 1min, .burst = 5}));
      EXPECT_EQ(reports.defaults, core::TypeDefaults{.max_attempts = 4});
    }
    if (since(23)) {
      EXPECT_EQ(job(kAcme, "line").definition.policies.run_in, core::RunIn::kAny);
      EXPECT_EQ(job(kAcme, "hook").definition.policies.run_in, core::RunIn::kHome);
    }
    if (since(24)) {
      EXPECT_TRUE(must(store().list_alerts(kOwn, true, 0, 10)).at(0).quiet);
    }
    if (since(25)) {
      const JobRow closed = job(kAcme, "closed");
      EXPECT_EQ(closed.definition.schedule.calendar_policy, core::CalendarPolicy::kDelay);
      const auto revisions = must(store().revisions_of(closed.id, {}, 1));
      EXPECT_EQ(revisions.at(0).schedule.calendar_policy, core::CalendarPolicy::kDelay);
    }
    if (since(26)) {
      EXPECT_EQ(must(store().ledger_check()).checked_through, kStart + 600s);
      const auto found = must(store().ledger_violations(kOwn, {}, 10));
      ASSERT_EQ(found.size(), 1U);
      EXPECT_EQ(found[0].flaw.kind, core::FlawKind::kHole);
      EXPECT_EQ(must(store().proof_tallies({}, 10)).size(), 1U);
      EXPECT_EQ(must(store().proofs(kOwn, kStart, 10)).at(0).digest, "abcd");
    }
  }

 private:
  // Whether the database was at PostgreSQL's `number`; SQLite's numbers are one ahead since 12.
  static bool since(int number) {
    return version() >= (dialect().name == "sqlite" ? number + 1 : number);
  }

  std::vector<std::string> names(const JobFilter& filter) {
    std::vector<std::string> found;
    for (const JobRow& row : must(store().list_jobs(filter, "", 100)).jobs) {
      found.push_back(row.definition.name);
    }
    return found;
  }
};

TEST_P(UpgradedRowsTest, AreAllThereInTodaysSchema) {
  schema_is_todays();
  jobs_are_defined_as_they_were();
  jobs_are_listed();
  history_is_listed();
  skips_are_listed();
  tenants_and_keys_are_kept();
  deeds_requests_and_events_are_remembered();
  logs_are_kept();
  later_tables_are_kept();
  opening_again_changes_nothing();
}

INSTANTIATE_TEST_SUITE_P(Landed, UpgradedRowsTest, testing::ValuesIn(landed_versions()), name_of);

}  // namespace
}  // namespace belfry::store
