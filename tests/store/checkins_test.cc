#include "core/checkin.h"
#include "core/queue.h"
#include "core/schedule/zone_catalog.h"
#include "service/work/check_ins.h"
#include "store/common/checkin_tokens.h"
#include "tests/store/suite.h"

#include <optional>
#include <vector>

namespace belfry::store {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class CheckInsTest : public StoreTest {
 protected:
  JobRow add_checkin(const std::string& name) {
    NewJob job = new_job(name, core::OverlapPolicy::kForbid);
    job.definition.target = R"({"kind":"CHECKIN"})";
    job.definition.policies.start_within = hours(1);
    return add(job);
  }
};

TEST_P(CheckInsTest, ATokenIsMadeReplacedAndRevoked) {
  const JobRow job = add_checkin("nightly");
  EXPECT_EQ(code_of(store().find_checkin(job.id)), Errc::kNotFound);
  const CheckInRow made = must(store().put_checkin(job.id, "one", kAlice));
  EXPECT_EQ(made.tenant, job.tenant);
  EXPECT_EQ(made.created_at, now());
  EXPECT_EQ(made.created_by, "alice");
  EXPECT_EQ(must(store().find_checkin("one")).job, job.id);
  must(store().put_checkin(job.id, "two", kAlice));
  EXPECT_EQ(code_of(store().find_checkin("one")), Errc::kNotFound);
  EXPECT_EQ(must(store().find_checkin("two")).job, must(store().find_checkin(job.id)).job);
  must(store().delete_checkin(job.id, kAlice));
  EXPECT_EQ(code_of(store().find_checkin("two")), Errc::kNotFound);
  EXPECT_EQ(code_of(store().delete_checkin(job.id, kAlice)), Errc::kNotFound);
  const auto audit = must(store().list_audit(std::nullopt, std::nullopt, 3));
  ASSERT_EQ(audit.size(), 3U);
  EXPECT_EQ(audit[0].action, "checkin.revoked");
  EXPECT_EQ(audit[1].action, "checkin.token");
}

TEST_P(CheckInsTest, WhatIsKeptOfATokenIsNoToken) {
  const JobRow job = add_checkin("nightly");
  must(store().put_checkin(job.id, "one", kAlice));
  EXPECT_EQ(code_of(store().find_checkin(digest_of_token("one"))), Errc::kNotFound);
  EXPECT_EQ(code_of(store().find_checkin("")), Errc::kNotFound);
}

TEST_P(CheckInsTest, ATokenGoesWithItsJob) {
  const JobRow job = add_checkin("nightly");
  must(store().put_checkin(job.id, "one", kAlice));
  must(store().change_job({.job = job.id, .status = core::JobStatus::kDeleted}));
  EXPECT_EQ(code_of(store().find_checkin("one")), Errc::kNotFound);
  EXPECT_EQ(code_of(store().put_checkin(job.id, "two", kAlice)), Errc::kNotFound);
}

TEST_P(CheckInsTest, JobsThatHaveATokenAreListedByName) {
  const auto listed = [&](JobFilter filter, const std::string& after = "", std::size_t limit = 9) {
    filter.job_type = core::checkin_queue();
    std::vector<std::string> names;
    for (const JobRow& job : must(store().list_jobs(filter, after, limit)).jobs) {
      names.push_back(job.definition.name);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  const JobFilter all{.tenant = TenantId(1)};
  add_checkin("without a token");
  add(new_job("runs here", core::OverlapPolicy::kForbid));
  const JobRow west = add_checkin("west");
  const JobRow east = add_checkin("east");
  const JobRow gone = add_checkin("gone");
  EXPECT_EQ(listed(all), Names{});
  for (const JobRow& job : {west, east, gone}) {
    must(store().put_checkin(job.id, "token of " + job.definition.name, kAlice));
  }
  must(store().change_job({.job = gone.id, .status = core::JobStatus::kDeleted}));
  EXPECT_EQ(listed(all), (Names{"east", "west"}));
  EXPECT_EQ(listed(all, "", 1), Names{"east"});
  EXPECT_EQ(listed(all, "east"), Names{"west"});
  EXPECT_EQ(listed({.tenant = TenantId(1), .text = "wes"}), Names{"west"});
  EXPECT_EQ(listed({.tenant = TenantId(2)}), Names{});
  must(store().change_job({.job = east.id, .status = core::JobStatus::kPaused}));
  EXPECT_EQ(listed({.tenant = TenantId(1), .status = core::JobStatus::kPaused}), Names{"east"});
  EXPECT_EQ(listed({.tenant = TenantId(1), .status = core::JobStatus::kActive}), Names{"west"});
}

TEST_P(CheckInsTest, AnEarlyReportKeepsItsFirstInstant) {
  const JobRow job = add_checkin("nightly");
  must(store().put_checkin(job.id, "one", kAlice));
  const Instant first = now();
  must(store().keep_early(job.id, "began"));
  pass(seconds(1));
  must(store().keep_early(job.id, "done"));
  const auto early = must(store().early_reports(10));
  ASSERT_EQ(early.size(), 1U);
  EXPECT_EQ(early[0].job, job.id);
  EXPECT_EQ(early[0].at, first);
  EXPECT_EQ(early[0].report, "done");
  must(store().drop_early(job.id));
  EXPECT_TRUE(must(store().early_reports(10)).empty());
  EXPECT_EQ(must(store().find_checkin("one")).job, job.id);
}

TEST_P(CheckInsTest, ARunWhoseCheckInNeverCameSaysSo) {
  const JobRow job = add_checkin("nightly");
  const RunRow run = must(store().trigger({.job = job.id, .key = core::RunKey(-7)}));
  const auto live = must(store().find_live({&run.run, 1}));
  ASSERT_EQ(live.size(), 1U);
  EXPECT_EQ(live[0].queue, core::checkin_queue());
  EXPECT_EQ(must(store().totals()).oldest_ready, std::nullopt);  // not for a worker
  pass(hours(1));
  EXPECT_EQ(must(store().give_up({&run.run, 1})).size(), 1U);
  const RunRow dead = must(store().find_run(run.run));
  EXPECT_EQ(dead.state, core::RunState::kDead);
  EXPECT_EQ(dead.reason, core::DeadReason::kNotStarted);
  EXPECT_EQ(dead.error, "no check-in came in time");
}

BELFRY_FOR_EACH_STORE(CheckInsTest);

// ---- To which run a report belongs

using Fate = service::CheckIns::Fate;
using Report = service::CheckIns::Report;
using Kind = Report::Kind;

// Ends what is reported at once; nothing else is asked of it.
class PlainDispatch final : public engine::Dispatch {
 public:
  explicit PlainDispatch(Store& store) : store_(store) {}

  void complete(std::vector<engine::Completion> ends, OnCompleted on_completed) override {
    std::vector<Result<engine::CompletionAnswer>> answers;
    for (const engine::Completion& end : ends) {
      const bool is_ok = end.outcome == core::AttemptOutcome::kSucceeded;
      const AttemptEnd written{
          .grant = end.grant,
          .outcome = end.outcome,
          .next = is_ok ? core::RunState::kSucceeded : core::RunState::kDead,
          .result = end.result,
          .error = end.error,
          .reason = is_ok ? core::DeadReason::kNone : core::DeadReason::kPermanent};
      const bool held = must(store_.end_attempts({&written, 1})).at(0);
      answers.emplace_back(held ? engine::CompletionAnswer::kOk
                                : engine::CompletionAnswer::kFenced);
    }
    on_completed(std::move(answers));
  }

  Result<engine::ClaimId> claim(engine::Claim /*claim*/, OnRuns /*on_runs*/) override {
    return fail(Errc::kInternal, "not asked");
  }
  bool withdraw(engine::ClaimId /*claim*/) override { return false; }
  void heartbeat(std::vector<RunGrant> /*grants*/, Duration /*lease*/,
                 OnHeartbeat /*on_heartbeat*/) override {}
  void give_back(std::vector<RunGrant> /*grants*/, Duration /*wait*/) override {}
  void wake() override {}

 private:
  Store& store_;
};

class ReportsTest : public StoreTest {
 protected:
  JobRow add_hourly(core::OverlapPolicy overlap = core::OverlapPolicy::kForbid) {
    NewJob job = new_job("nightly", overlap);
    job.definition.schedule.cron_expression = "0 * * * *";
    job.definition.target = R"({"kind":"CHECKIN"})";
    job.definition.policies = core::checkin_policies();
    job.definition.policies.overlap = overlap;
    const JobRow made = add(job);
    must(store().put_checkin(made.id, "token", {}));
    return made;
  }

  // The run of a tick, as the engine would decide it.
  core::RunRef decide(const JobRow& job, Instant tick) {
    return must(store().trigger({.job = job.id,
                                 .key = core::run_key_of(Tick(tick)),
                                 .origin = core::RunOrigin::kBackfill,
                                 .tick = Tick(tick)}))
        .run;
  }

  service::CheckIns::Answer report(const JobRow& job, const Report& report) {
    std::optional<Result<service::CheckIns::Answer>> answer;
    check_ins_.report(job.id, report, [&](const auto& given) { answer = given; });
    return must(answer.value());
  }

  RunRow find(const core::RunRef& run) { return must(store().find_run(run)); }
  std::size_t count_runs(const JobRow& job) {
    return must(store().list_runs({.tenant = job.tenant, .job = job.id}, "", 100)).runs.size();
  }
  // The next hour, 2027-01-15T08:00:00Z being kStart.
  static Instant hour(int n) { return kStart + hours(n); }

  Logger log_{clock(), [](std::string_view) {}, {.least = LogLevel::kError}};
  core::ZoneCatalog zones_;
  PlainDispatch dispatch_{store()};
  service::CheckIns check_ins_{{.store = store(),
                                .dispatch = dispatch_,
                                .zones = zones_,
                                .now = [this] { return now(); },
                                .log = log_}};
};

TEST_P(ReportsTest, AStartAndAnEndAreTheRunOfTheTick) {
  const JobRow job = add_hourly();
  pass(hour(1) - now() + seconds(2));
  const core::RunRef run = decide(job, hour(1));
  const auto started = report(job, {.kind = Kind::kStart});
  EXPECT_EQ(started.fate, Fate::kTaken);
  EXPECT_EQ(started.run, run);
  EXPECT_EQ(find(run).state, core::RunState::kRunning);
  EXPECT_EQ(find(run).worker, "check-in");
  EXPECT_EQ(report(job, {.kind = Kind::kStart}).fate, Fate::kAgain);
  EXPECT_EQ(report(job, {.kind = Kind::kOk}).run, run);
  EXPECT_EQ(find(run).state, core::RunState::kSucceeded);
  EXPECT_EQ(report(job, {.kind = Kind::kOk, .run = run}).fate, Fate::kAgain);
  EXPECT_EQ(count_runs(job), 1U);
}

TEST_P(ReportsTest, AFailureHasItsExitCodeAndItsOutput) {
  const JobRow job = add_hourly();
  pass(hour(1) - now() + seconds(2));
  const core::RunRef run = decide(job, hour(1));
  report(job, {.kind = Kind::kFail, .exit_code = 3, .output = "one\ndisk full\n"});
  const RunRow dead = find(run);
  EXPECT_EQ(dead.state, core::RunState::kDead);
  EXPECT_EQ(dead.error, "exit code 3: disk full");
  EXPECT_EQ(must(store().find_log(run, std::nullopt)).log, "one\ndisk full\n");
}

TEST_P(ReportsTest, AStartBelongsToTheNewestTickThatWaits) {
  const JobRow job = add_hourly(core::OverlapPolicy::kAllow);
  pass(hour(1) - now());
  const core::RunRef missed = decide(job, hour(1));
  pass(hours(1));
  const core::RunRef newest = decide(job, hour(2));
  EXPECT_EQ(report(job, {.kind = Kind::kStart}).run, newest);
  EXPECT_EQ(find(missed).state, core::RunState::kReady);
}

TEST_P(ReportsTest, AReportShortlyBeforeItsTickWaitsForIt) {
  const JobRow job = add_hourly();
  pass(hour(1) - now() - seconds(20));
  EXPECT_EQ(report(job, {.kind = Kind::kStart}).fate, Fate::kEarly);
  const auto ended = report(job, {.kind = Kind::kOk, .exit_code = 0});
  EXPECT_EQ(ended.fate, Fate::kEarly);
  EXPECT_EQ(ended.run, std::nullopt);
  must(check_ins_.follow_early());
  EXPECT_EQ(count_runs(job), 0U);
  pass(seconds(21));
  const core::RunRef run = decide(job, hour(1));
  must(check_ins_.follow_early());
  EXPECT_EQ(find(run).state, core::RunState::kSucceeded);
  EXPECT_TRUE(must(store().early_reports(10)).empty());
}

TEST_P(ReportsTest, AReportThatCameBeforeItsTickWasDecidedIsEarlyToo) {
  const JobRow job = add_hourly();
  pass(hour(1) - now() + seconds(1));
  EXPECT_EQ(report(job, {.kind = Kind::kStart}).fate, Fate::kEarly);
  const core::RunRef run = decide(job, hour(1));
  must(check_ins_.follow_early());
  EXPECT_EQ(find(run).state, core::RunState::kRunning);
}

TEST_P(ReportsTest, AnEarlyReportWhoseTickBecameNoRunIsARunOfItsOwn) {
  const JobRow job = add_hourly();
  pass(hour(1) - now() - seconds(20));
  EXPECT_EQ(report(job, {.kind = Kind::kOk}).fate, Fate::kEarly);
  pass(seconds(60));
  must(check_ins_.follow_early());
  must(check_ins_.follow_early());
  EXPECT_EQ(count_runs(job), 1U);
  EXPECT_TRUE(must(store().early_reports(10)).empty());
}

TEST_P(ReportsTest, AReportThatNoTickExpectsIsARunOfItsOwn) {
  const JobRow job = add_hourly();
  pass(std::chrono::minutes(20));
  const auto extra = report(job, {.kind = Kind::kOk});
  EXPECT_EQ(extra.fate, Fate::kExtra);
  EXPECT_EQ(find(extra.run.value()).state, core::RunState::kSucceeded);
  EXPECT_EQ(find(extra.run.value()).origin, core::RunOrigin::kManual);
}

TEST_P(ReportsTest, ATenantsLimitIsForWorkThatIsDoneHere) {
  const TenantId tenant = must(store().put_tenant({.name = "small", .max_in_flight = 1}, {}));
  NewJob plain = new_job("plain", core::OverlapPolicy::kForbid, tenant);
  const RunRow running = must(store().trigger({.job = add(plain).id, .key = core::RunKey(-1)}));
  must(store().grant(
      {.takers = {{.worker = "w"}}, .runs = {{.run = running.run, .tenant = tenant, .taker = 0}}}));
  plain.definition.name = "elsewhere";
  plain.definition.target = R"({"kind":"CHECKIN"})";
  const JobRow job = add(plain);
  decide(job, now());
  EXPECT_EQ(report(job, {.kind = Kind::kStart}).fate, Fate::kTaken);
}

BELFRY_FOR_EACH_STORE(ReportsTest);

}  // namespace
}  // namespace belfry::store
