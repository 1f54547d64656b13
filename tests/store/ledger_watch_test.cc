// The leader's proof of the whole ledger: what it notices, what it must not take for wrong, where
// it goes on, and its statements about days.
#include "engine/proof/ledger_watch.h"

#include "base/json.h"
#include "base/signature.h"
#include "base/text/instant_text.h"
#include "engine/proof/ledger_export.h"
#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using core::SkipReason;

const SigningKey kKey(SigningKey::Seed{7});

class LedgerWatchTest : public StoreTest {
 protected:
  LedgerWatchTest() : log_(clock(), [](std::string_view) {}, {.least = LogLevel::kError}) {
    own_everything();
    begin(1);
    steps(1);  // it begins with what comes from now on
  }

  struct Listener : engine::Observer {
    std::vector<std::string> told;
    void violated(const LedgerViolation& each) override {
      told.push_back(each.name + " " + std::string(core::name_of(each.flaw.kind)) + " " +
                     std::to_string((each.flaw.first.instant() - kStart) / 1s) + "x" +
                     std::to_string(each.flaw.count));
    }
  };

  // A leader, in small steps; what it tells is kept.
  void begin(std::uint64_t number, Duration retention = std::chrono::days(90)) {
    watch_.emplace(
        engine::LedgerWatch::World{.store = store(),
                                   .node = node(number),
                                   .zones = zones_,
                                   .clock = clock(),
                                   .log = log_,
                                   .observer = listener_,
                                   .sign =
                                       [](std::string_view statement) {
                                         return Result<engine::Signature>(engine::Signature{
                                             kKey.public_key(), kKey.sign(statement)});
                                       }},
        engine::LedgerWatchConfig{.retention = retention,
                                  .most_jobs = 5,
                                  .rows_each = 3,
                                  .settles = 1s,
                                  .pause = 2s,
                                  .statements = 1});
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) must(watch_->run_once());
  }
  // Until there is nothing to do for now.
  void run_all() {
    for (int i = 0; i < 1'000; ++i) {
      must(watch_->run_once());
      const LedgerCheck check = must(store().ledger_check());
      const bool rests = check.pass.empty() && now() - 1s - check.checked_through < 2s;
      const auto day = std::chrono::floor<std::chrono::days>(
          (check.sealed_through + Duration(1)).since_origin());
      const Instant tomorrow = Instant(day) + std::chrono::hours(24);
      if (rests && check.checked_through < tomorrow - Duration(1)) return;
    }
    ADD_FAILURE() << "a proof without an end: " << must(store().ledger_check()).pass;
  }
  std::string told() {
    std::string text;
    for (const std::string& each : listener_.told) text += (text.empty() ? "" : ", ") + each;
    return text;
  }

  JobRow add_every_second(const std::string& name, TenantId tenant = TenantId(1)) {
    JobStore::NewJob job = new_job(name, OverlapPolicy::kAllow, tenant);
    job.definition.schedule = {.cron_expression = "* * * * * *"};
    return add(job);
  }
  void decide_through(JobId job, int second, const Decisions& decisions) {
    if (now() < kStart + std::chrono::seconds(second)) {
      pass(kStart + std::chrono::seconds(second) - now());
    }
    PartitionDecision decided = decision(job, kStart + std::chrono::seconds(second));
    decided.decisions = decisions;
    ASSERT_EQ(decide(decided).partitions.at(0).outcome, DecideOutcome::kDecided);
  }
  Decisions runs(JobId job, int first, int last) {
    Decisions decisions;
    for (int i = first; i <= last; ++i) decisions.runs.push_back({.job = job, .tick = tick(i)});
    return decisions;
  }
  std::vector<ProofRow> proofs(TenantId tenant = TenantId(1)) {
    return must(store().proofs(tenant, Instant::max(), 100));
  }

  core::ZoneCatalog zones_;
  Logger log_;
  Listener listener_;
  std::optional<engine::LedgerWatch> watch_;
};

TEST_P(LedgerWatchTest, FindsNothingInALedgerThatIsRight) {
  std::vector<JobRow> jobs;
  for (int i = 0; i < 12; ++i) jobs.push_back(add_every_second("job-" + std::to_string(i)));
  for (const JobRow& job : jobs) {
    Decisions decisions = runs(job.id, 1, 8);
    decisions.skips.push_back({job.id, tick(9), tick(10), 2, SkipReason::kMisfireExpired});
    decide_through(job.id, 10, decisions);
  }
  pass(1s);
  run_all();
  EXPECT_EQ(told(), "");
  EXPECT_EQ(must(store().ledger_check()).checked_through, tick(10).instant());
  EXPECT_EQ(must(store().ledger_check()).violations, 0);
}

TEST_P(LedgerWatchTest, HolesDoublesAndEarlyTicksAreToldOnce) {
  const JobRow holes = add_every_second("holes");
  const JobRow doubles = add_every_second("doubles");
  Decisions some = runs(holes.id, 1, 4);
  some.runs.push_back({.job = holes.id, .tick = tick(8)});
  decide_through(holes.id, 8, some);
  Decisions twice = runs(doubles.id, 1, 8);
  twice.skips.push_back({doubles.id, tick(3), tick(3), 1, SkipReason::kMisfireExpired});
  decide_through(doubles.id, 8, twice);
  pass(1s);
  run_all();
  EXPECT_EQ(told(), "holes hole 5x3, doubles double 3x1");
  EXPECT_EQ(must(store().ledger_check()).violations, 2);
  const auto kept = must(store().ledger_violations(TenantId(1), Instant::min(), 10));
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[1].name, "holes");
  EXPECT_EQ(kept[1].flaw.count, 3);
  EXPECT_NE(kept[1].flaw.evidence, "");
  EXPECT_EQ(kept[1].found_at, now());
  EXPECT_TRUE(must(store().ledger_violations(TenantId(2), Instant::min(), 10)).empty());
  EXPECT_TRUE(must(store().ledger_violations({}, now(), 10)).empty());
}

TEST_P(LedgerWatchTest, WhoWatchesIsTold) {
  const JobRow job = add_every_second("a");
  decide_through(job.id, 6, runs(job.id, 1, 4));
  pass(1s);
  const EventId before = must(store().last_event());
  run_all();
  std::vector<ViolationEvent> seen;
  for (const Event& event : must(store().events_after(before, 100))) {
    seen.insert(seen.end(), event.violations.begin(), event.violations.end());
  }
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0], (ViolationEvent{job.id, tick(5), core::FlawKind::kHole}));
}

TEST_P(LedgerWatchTest, AnotherLeaderGoesOnWhereThisOneStopped) {
  std::vector<JobRow> jobs;
  for (int i = 0; i < 12; ++i) {
    jobs.push_back(add_every_second("job-" + std::to_string(i)));
  }
  for (const JobRow& job : jobs) decide_through(job.id, 6, runs(job.id, 1, 5));
  pass(1s);
  for (int i = 0; i < 10 && listener_.told.empty(); ++i) steps(1);
  const LedgerCheck half = must(store().ledger_check());
  ASSERT_NE(half.pass, "");
  const std::size_t first = listener_.told.size();
  EXPECT_GT(first, 0U);
  EXPECT_LT(first, 12U);
  pass(1min);  // the lease of the first is over
  begin(2);
  listener_.told.clear();
  must(watch_->run_once());
  EXPECT_EQ(must(store().ledger_check()).checked_through, half.checked_through);
  for (int i = 0; i < 100 && !must(store().ledger_check()).pass.empty(); ++i) steps(1);
  EXPECT_EQ(listener_.told.size(), 12 - first) << "each is told once, and none is left out";
  EXPECT_EQ(must(store().ledger_check()).violations, 12);
}

TEST_P(LedgerWatchTest, WhoDoesNotLeadDoesNothing) {
  const LedgerCheck before = must(store().ledger_check());
  pass(10s);
  begin(2);  // the lease is the first one's
  steps(3);
  EXPECT_EQ(must(store().ledger_check()).version, before.version);
}

TEST_P(LedgerWatchTest, AStepOfWhoReadAnOlderStateIsRefused) {
  const LedgerCheck old = must(store().ledger_check());
  pass(10s);
  steps(1);
  EXPECT_EQ(code_of(store().advance_ledger_check({.check = old})), Errc::kConflict);
  EXPECT_EQ(code_of(store().advance_ledger_check({.check = {}})), Errc::kConflict)
      << "it has begun already";
}

TEST_P(LedgerWatchTest, WhatIsNotDecidedYetIsLookedForAgain) {
  const JobRow late = add_every_second("late");
  const JobRow other = add_every_second("other");
  decide_through(late.id, 4, runs(late.id, 1, 4));
  decide_through(other.id, 10, runs(other.id, 1, 10));
  pass(1s);
  for (int i = 0; i < 20; ++i) steps(1);
  EXPECT_EQ(told(), "") << "lateness is no hole";
  EXPECT_EQ(must(store().ledger_check()).checked_through, tick(5).instant() - Duration(1));
  decide_through(late.id, 10, runs(late.id, 6, 10));
  for (int i = 0; i < 20; ++i) steps(1);
  EXPECT_EQ(told(), "late hole 5x1");
  EXPECT_EQ(must(store().ledger_check()).checked_through, tick(10).instant());
}

TEST_P(LedgerWatchTest, ChangedPausedAndDeletedJobsAreNoFlaws) {
  const JobRow changed = add_every_second("changed");
  const JobRow paused = add_every_second("paused");
  const JobRow deleted = add_every_second("deleted");
  for (const JobRow& job : {changed, paused, deleted}) {
    decide_through(job.id, 3, runs(job.id, 1, 3));
  }
  pass(500ms);
  core::JobDefinition next = changed.definition;
  next.schedule.cron_expression = "0 0 1 1 *";
  must(store().change_job({.job = changed.id, .definition = next}));
  must(store().change_job({.job = paused.id, .status = core::JobStatus::kPaused}));
  must(store().change_job({.job = deleted.id, .status = core::JobStatus::kDeleted}));
  Decisions skipped;
  skipped.skips.push_back({paused.id, tick(4), tick(9), 6, SkipReason::kPaused});
  decide_through(paused.id, 9, skipped);
  pass(1s);
  run_all();
  EXPECT_EQ(told(), "");
  EXPECT_EQ(must(store().ledger_check()).checked_through, tick(9).instant());
}

// To resume a job that is active settles what is due, and makes no revision. Where nothing more
// comes, the cursor stays before those ticks.
TEST_P(LedgerWatchTest, WhatAChangeWithoutARevisionSettledIsDecided) {
  JobStore::NewJob wanted = new_job("resumed", OverlapPolicy::kAllow, TenantId(1));
  wanted.definition.schedule = {.cron_expression = "* * * * * *", .end_at = tick(5).instant()};
  const JobRow job = add(wanted);
  decide_through(job.id, 3, runs(job.id, 1, 3));
  pass(4s);
  const JobRow resumed =
      must(store().change_job({.job = job.id, .status = core::JobStatus::kActive})).job;
  ASSERT_EQ(resumed.revision, job.revision);
  pass(10s);
  run_all();
  EXPECT_EQ(told(), "");
  EXPECT_EQ(must(store().ledger_check()).checked_through, now() - 1s);
}

TEST_P(LedgerWatchTest, ADeletedJobsLastTicksAreLookedFor) {
  const JobRow job = add_every_second("gone");
  decide_through(job.id, 5, runs(job.id, 1, 4));
  must(store().change_job({.job = job.id, .status = core::JobStatus::kDeleted}));
  pass(10s);
  run_all();
  EXPECT_EQ(told(), "gone hole 5x1");
}

TEST_P(LedgerWatchTest, WhatRetentionDroppedIsNoHole) {
  const JobRow job = add_every_second("a");
  Decisions all;
  all.skips.push_back({job.id, tick(1), tick(3'600), 3'600, SkipReason::kMisfireExpired});
  decide_through(job.id, 3'600, all);
  pass(std::chrono::hours(2));
  must(store().keep_history(30min));
  for (std::optional<ChoreStore::SkipCursor> at = ChoreStore::SkipCursor(); at;) {
    at = must(store().sweep_skips(*at, 30min, 100));
  }
  EXPECT_TRUE(must(store().skips_of(job.id)).empty());
  Decisions rest;
  rest.skips.push_back({job.id, tick(3'601), tick(10'800), 7'200, SkipReason::kMisfireExpired});
  decide_through(job.id, 10'800, rest);
  begin(1, 30min);
  pass(1s);
  steps(1);
  const Instant kept = must(store().ledger_check()).kept_after;
  // Now history is kept for longer, but what is gone is gone.
  begin(1, std::chrono::days(90));
  run_all();
  EXPECT_EQ(must(store().ledger_check()).kept_after, kept);
  EXPECT_EQ(told(), "");
  EXPECT_EQ(must(store().ledger_check()).checked_through, tick(10'800).instant());
}

TEST_P(LedgerWatchTest, AJobWithManyRowsIsReadInPieces) {
  const JobRow job = add_every_second("many");
  add_every_second("after");  // a neighbour, which is late
  Decisions decisions = runs(job.id, 1, 20);
  decisions.runs.erase(decisions.runs.begin() + 12);
  decide_through(job.id, 20, decisions);
  pass(1s);
  for (int i = 0; i < 40; ++i) steps(1);
  EXPECT_EQ(told(), "many hole 13x1");
}

// ---- Days

class ProofDayTest : public LedgerWatchTest {
 protected:
  // From 08:00 to two hours after midnight.
  JobRow add_hourly(const std::string& name, TenantId tenant = TenantId(1)) {
    JobStore::NewJob job = new_job(name, OverlapPolicy::kAllow, tenant);
    job.definition.schedule = {.cron_expression = "0 * * * *"};
    return add(job);
  }
  void live_a_day(const JobRow& job, int days = 1) {
    Decisions decisions;
    const int hours = 16 + 24 * (days - 1) + 2;
    for (int i = 1; i <= hours; ++i)
      decisions.runs.push_back({.job = job.id, .tick = tick(3'600 * i)});
    decide_through(job.id, 3'600 * hours, decisions);
  }
  // As an auditor computes it: from the rows, sorted.
  std::string digest_of(TenantId tenant, const Json& stated) {
    engine::ProofPlace place;
    std::string digest = core::empty_ledger_digest();
    const engine::ProofWindow window{.after = must(parse(stated.at("from"))) - Duration(1),
                                     .through = must(parse(stated.at("to")))};
    for (int i = 0; i < 100; ++i) {
      const auto page = must(engine::export_ledger(store(), tenant, place, window, 2));
      for (const LedgerRow& row : page.rows) {
        digest = core::extend_ledger_digest(digest, core::ledger_line(row.job, row.fate));
      }
      if (!page.next) return digest;
      place = *page.next;
    }
    return "an export without an end";
  }
  static Result<Instant> parse(const Json& text) { return parse_instant(text.get<std::string>()); }
};

TEST_P(ProofDayTest, ADayThatIsOverIsStatedAndSigned) {
  const TenantId other = must(store().put_tenant({.name = "other"}, {}));
  const JobRow ours = add_hourly("ours");
  const JobRow theirs = add_hourly("theirs", other);
  live_a_day(ours);
  live_a_day(theirs);
  pass(1s);
  run_all();
  EXPECT_EQ(told(), "");
  ASSERT_EQ(proofs().size(), 1U);
  const ProofRow proof = proofs().front();
  EXPECT_TRUE(is_signed(proof.statement, kKey.public_key(), proof.signature));
  EXPECT_EQ(proof.public_key, kKey.public_key());
  EXPECT_EQ(proof.digest, core::hex_digest(proof.statement));
  const Json stated = must(parse_json(proof.statement));
  EXPECT_EQ(stated.at("tenant"), "default");
  EXPECT_EQ(stated.at("day"), "2027-01-15");
  EXPECT_EQ(stated.at("jobs"), 1);
  EXPECT_EQ(stated.at("runs"), 15) << "09:00 to 23:00; midnight is tomorrow's";
  EXPECT_EQ(stated.at("holes"), 0);
  EXPECT_EQ(stated.at("ledger_rows"), 15);
  EXPECT_TRUE(stated.at("previous").is_null());
  EXPECT_EQ(stated.at("ledger_digest"), digest_of(TenantId(1), stated));
  const Json their = must(parse_json(proofs(other).at(0).statement));
  EXPECT_EQ(their.at("tenant"), "other");
  EXPECT_EQ(their.at("runs"), 15);
  EXPECT_EQ(their.at("ledger_digest"), digest_of(other, their));
  EXPECT_NE(their.at("ledger_digest"), stated.at("ledger_digest"));
}

TEST_P(ProofDayTest, DaysAreChained) {
  const JobRow job = add_hourly("a");
  live_a_day(job, 3);
  pass(1s);
  run_all();
  const auto days = proofs();  // the newest first
  ASSERT_EQ(days.size(), 3U);
  EXPECT_EQ(must(parse_json(days[0].statement)).at("previous"), days[1].digest);
  EXPECT_EQ(must(parse_json(days[1].statement)).at("previous"), days[2].digest);
  EXPECT_EQ(must(parse_json(days[0].statement)).at("runs"), 24);
  EXPECT_EQ(must(parse_json(days[0].statement)).at("from"), "2027-01-17T00:00:00Z");
}

TEST_P(ProofDayTest, AHoleIsStated) {
  const JobRow job = add_hourly("a");
  Decisions decisions;
  for (const int i : {1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}) {
    decisions.runs.push_back({.job = job.id, .tick = tick(3'600 * i)});
  }
  decide_through(job.id, 3'600 * 16, decisions);
  pass(10s);
  run_all();
  EXPECT_EQ(told(), "a hole 14400x2") << "once, by the check; the tally finds it again";
  const Json stated = must(parse_json(proofs().at(0).statement));
  EXPECT_EQ(stated.at("holes"), 2);
  EXPECT_EQ(stated.at("runs"), 13);
}

TEST_P(ProofDayTest, ARangeThatGrowsAfterwardsDoesNotChangeTheDigest) {
  const JobRow job = add_hourly("a");
  Decisions decisions;
  decisions.skips.push_back(
      {job.id, tick(3'600), tick(3'600 * 16), 16, SkipReason::kMisfireExpired});
  decide_through(job.id, 3'600 * 16, decisions);
  pass(10s);
  run_all();
  const Json stated = must(parse_json(proofs().at(0).statement));
  EXPECT_EQ(stated.at("skips").at("misfire_expired"), 15);
  EXPECT_EQ(stated.at("ledger_rows"), 1);
  const std::string before = digest_of(TenantId(1), stated);
  EXPECT_EQ(before, stated.at("ledger_digest").get<std::string>());
  Decisions more;
  more.skips.push_back(
      {job.id, tick(3'600 * 17), tick(3'600 * 18), 2, SkipReason::kMisfireExpired});
  decide_through(job.id, 3'600 * 18, more);
  ASSERT_EQ(must(store().skips_of(job.id)).size(), 1U);
  EXPECT_EQ(digest_of(TenantId(1), stated), before);
}

TEST_P(ProofDayTest, ALeaderThatDiesHalfWayLeavesNothingCountedTwice) {
  std::vector<JobRow> jobs;
  for (int i = 0; i < 12; ++i) jobs.push_back(add_hourly("job-" + std::to_string(i)));
  for (const JobRow& job : jobs) live_a_day(job);
  pass(1s);
  std::uint64_t leader = 1;
  for (int i = 0; i < 1'000 && proofs().empty(); ++i) {
    steps(1);
    begin(leader);  // it has forgotten everything
  }
  ASSERT_EQ(proofs().size(), 1U);
  const Json stated = must(parse_json(proofs().front().statement));
  EXPECT_EQ(stated.at("jobs"), 12);
  EXPECT_EQ(stated.at("runs"), 12 * 15);
  EXPECT_EQ(stated.at("ledger_digest"), digest_of(TenantId(1), stated));
}

BELFRY_FOR_EACH_STORE(LedgerWatchTest);
BELFRY_FOR_EACH_STORE(ProofDayTest);

}  // namespace
}  // namespace belfry::store
