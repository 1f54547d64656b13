#include "base/json.h"
#include "base/rng.h"
#include "core/queue.h"
#include "service/alerts/alert_watch.h"
#include "store/wrappers/faulty_store.h"
#include "tests/store/suite.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace belfry::store {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class AlertsTest : public StoreTest {
 protected:
  AlertsTest() { own_everything(); }

  void put_rule(const std::string& name, const Json& fields) {
    Json rule{{"group_wait", 0},
              {"scope", Json::object()},
              {"receivers", Json::array({{{"kind", "HTTP"}, {"url", "http://127.0.0.1/"}}})}};
    rule.update(fields);
    must(store().put_alert_rule(kMine, name, write_json(rule), {}));
  }
  static Json in_a_row(int count) { return {{"when", "failed_in_a_row"}, {"count", count}}; }

  service::AlertWatch::Report look() { return look(store()); }
  service::AlertWatch::Report look(Store& through) {
    return must(service::AlertWatch({through, through, through}, zones_).run_once());
  }

  // A run of the job that ends like this.
  void run(JobId job, bool failed) {
    must(store().trigger({.job = job, .key = core::RunKey(-++runs_)}));
    const auto claimed = claim(10'000);
    ASSERT_EQ(claimed.size(), 1U);
    AttemptEnd over = success(grant_of(claimed[0]));
    if (failed) {
      over.outcome = core::AttemptOutcome::kFailed;
      over.next = core::RunState::kDead;
      over.error = "no";
      over.reason = core::DeadReason::kAttempts;
    }
    ASSERT_TRUE(end(over));
  }

  // A run that its calendar delays until then, and the time until then.
  void delay_until(Instant opens) {
    must(store().put_calendar(kMine, "freeze", std::vector<std::string>{"08:00..08:30"}, {}));
    JobStore::NewJob job = new_job("a", core::OverlapPolicy::kAllow, kMine);
    job.definition.schedule.calendar_name = "freeze";
    job.definition.schedule.calendar_policy = core::CalendarPolicy::kDelay;
    const JobId id = add(job).id;
    pass(seconds(60));
    PartitionDecision made = decision(id, now());
    made.decisions.runs.push_back({.job = id, .tick = tick(60), .due = opens, .delayed = true});
    decide(made);
    pass(opens - now());
  }

  std::vector<AlertRow> alerts(bool open_only = false) {
    return must(store().list_alerts(kMine, open_only, 0, 10'000));
  }
  // All messages that are due, taken from the queue and sent.
  std::vector<Json> receive() {
    std::vector<Json> bodies;
    for (const AlertMessageRow& message :
         must(store().claim_alert_messages(core::http_queue(), 1'000, seconds(30)))) {
      bodies.push_back(must(parse_json(message.body)));
      EXPECT_TRUE(must(store().end_alert_message(
          {.id = message.id, .fence = message.fence, .state = AlertMessageState::kSent})));
    }
    return bodies;
  }

  static constexpr TenantId kMine{1};
  std::int64_t runs_ = 0;
  core::ZoneCatalog zones_;
};

TEST_P(AlertsTest, TellsOnceThatAJobFailsAndOnceThatItRecovered) {
  put_rule("r", in_a_row(2));
  const JobId job = add_job("a").id;
  run(job, true);
  EXPECT_EQ(look().opened, 0U);
  run(job, true);
  EXPECT_EQ(look().opened, 1U);
  EXPECT_EQ(look().messages, 1U);
  EXPECT_EQ(look().messages, 0U) << "told already";
  const auto first = receive();
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].at("opened")[0].at("subject"), "a");
  EXPECT_EQ(alerts(true).size(), 1U);
  run(job, false);
  EXPECT_EQ(look().ended, 1U);
  look();
  const auto second = receive();
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].at("opened_count"), 0);
  EXPECT_EQ(second[0].at("recovered")[0].at("subject"), "a");
  EXPECT_TRUE(alerts(true).empty());
  EXPECT_EQ(alerts().size(), 1U);
  EXPECT_TRUE(receive().empty());
}

TEST_P(AlertsTest, OneMessageTellsOfAllThatFailTogether) {
  Json rule = in_a_row(1);
  rule["group_wait"] = Duration(seconds(10)).count();
  put_rule("r", rule);
  for (int i = 0; i < 120; ++i) {
    run(add_job("job" + std::to_string(i)).id, true);
    if (i % 40 == 0) look();
  }
  look();
  look();
  EXPECT_TRUE(receive().empty()) << "others may join";
  pass(seconds(10));
  look();
  const auto told = receive();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].at("opened_count"), 120);
  EXPECT_EQ(told[0].at("opened").size(), 50U);
}

TEST_P(AlertsTest, SeesWaitingRunningAndDeadRuns) {
  put_rule("waits", {{"when", "not_started"}, {"after", Duration(minutes(5)).count()}});
  put_rule("long", {{"when", "running"}, {"after", Duration(minutes(5)).count()}});
  put_rule("dead", {{"when", "dead_letters"}, {"count", 0}});
  put_rule("idle", {{"when", "no_worker"}, {"after", Duration(minutes(5)).count()}});
  const JobId job = add_job("a").id;
  must(store().trigger({.job = job, .key = core::RunKey(-1)}));
  EXPECT_EQ(look().opened, 0U);
  pass(minutes(5));
  EXPECT_EQ(look().opened, 2U) << "it waits, and nobody serves its type";
  const auto claimed = claim(1);
  ASSERT_EQ(claimed.size(), 1U);
  EXPECT_EQ(look().ended, 2U);
  beat(grant_of(claimed[0]), minutes(30));
  pass(minutes(5));
  EXPECT_EQ(look().opened, 1U) << "it goes on for long";
  AttemptEnd over = success(grant_of(claimed[0]));
  over.outcome = core::AttemptOutcome::kFailed;
  over.next = core::RunState::kDead;
  over.reason = core::DeadReason::kAttempts;
  ASSERT_TRUE(end(over));
  const auto last = look();
  EXPECT_EQ(last.ended, 1U);
  EXPECT_EQ(last.opened, 1U) << "a dead letter";
}

TEST_P(AlertsTest, KeepsQuietInSilencesAndTellsAfterwards) {
  put_rule("r", in_a_row(1));
  must(store().put_alert_silence(kMine, R"({"rule":"r","scope":{"job":"a"}})", minutes(10), {}));
  const JobId job = add_job("a").id;
  run(job, true);
  look();
  look();
  EXPECT_TRUE(receive().empty());
  EXPECT_TRUE(alerts(true).at(0).quiet);
  EXPECT_EQ(must(store().list_alert_silences(kMine)).size(), 1U);
  pass(minutes(10));
  look();
  look();
  EXPECT_EQ(receive().size(), 1U);
  EXPECT_FALSE(alerts(true).at(0).quiet);
  EXPECT_TRUE(must(store().list_alert_silences(kMine)).empty());
}

// Its time is when the calendar opens, also once it is over.
TEST_P(AlertsTest, ARunThatItsCalendarDelaysIsNotLate) {
  put_rule("r", {{"when", "late"}, {"after", Duration(minutes(1)).count()}});
  delay_until(kStart + minutes(30));
  pass(seconds(30));
  look();
  const auto claimed = claim(9);
  ASSERT_EQ(claimed.size(), 1U);
  look();
  EXPECT_TRUE(alerts().empty()) << "it has begun";
  EXPECT_TRUE(end(success(grant_of(claimed[0]))));
  look();
  EXPECT_TRUE(alerts().empty()) << "it is over";
}

TEST_P(AlertsTest, ADelayedRunThatNobodyTakesIsLateFromTheOpeningOn) {
  put_rule("r", {{"when", "late"}, {"after", Duration(minutes(1)).count()}});
  delay_until(kStart + minutes(30));
  pass(seconds(50));
  look();
  EXPECT_TRUE(alerts().empty());
  pass(seconds(20));
  look();
  EXPECT_EQ(alerts().size(), 1U);
}

// A late start is seen when it happens; nothing would bring it up again after the silence.
TEST_P(AlertsTest, WhatIsStillWrongAfterASilenceIsToldOfAJobThatDoesNotRunAgain) {
  put_rule("r", {{"when", "late"}, {"after", Duration(minutes(1)).count()}});
  must(store().put_alert_silence(kMine, R"({"rule":"r","scope":{}})", minutes(100), {}));
  const JobId late = add_job("late").id;
  const JobId mended = add_job("mended").id;
  decide_runs(late, {1});
  decide_runs(mended, {2});
  pass(minutes(5));
  for (const ClaimedRun& run : claim(2)) ASSERT_TRUE(end(success(grant_of(run))));
  look();
  EXPECT_EQ(alerts(true).size(), 2U);
  pass(minutes(80));
  decide_runs(mended, {5'100});
  for (const ClaimedRun& run : claim(1)) ASSERT_TRUE(end(success(grant_of(run))));
  look();
  look();
  EXPECT_TRUE(receive().empty());
  pass(minutes(20));
  look();
  look();
  const auto told = receive();
  ASSERT_EQ(told.size(), 1U);
  ASSERT_EQ(told[0].at("opened").size(), 1U);
  EXPECT_EQ(told[0].at("opened")[0].at("subject"), "late");
  EXPECT_EQ(told[0].at("recovered_count"), 0) << "what is over by then is not told";
}

TEST_P(AlertsTest, WhatEndsInASilenceBeforeItWasToldIsNotTold) {
  Json rule = in_a_row(1);
  rule["group_wait"] = Duration(seconds(10)).count();
  put_rule("r", rule);
  const JobId job = add_job("a").id;
  run(job, true);
  look();
  must(store().put_alert_silence(kMine, R"({"rule":"r","scope":{}})", minutes(10), {}));
  run(job, false);
  pass(seconds(10));
  look();
  look();
  EXPECT_TRUE(receive().empty());
  EXPECT_TRUE(alerts(true).empty());
}

TEST_P(AlertsTest, WhatIsNotDeliveredIsKnown) {
  put_rule("r", in_a_row(1));
  const JobId job = add_job("a").id;
  run(job, true);
  look();
  look();
  EXPECT_TRUE(must(store().undelivered_alerts()).empty()) << "it may take a minute";
  pass(minutes(1));
  auto undelivered = must(store().undelivered_alerts());
  ASSERT_EQ(undelivered.size(), 1U);
  EXPECT_EQ(undelivered[0].rule, "r");
  EXPECT_EQ(undelivered[0].messages, 1);
  EXPECT_EQ(undelivered[0].given_up, 0);
  EXPECT_EQ(undelivered[0].since, now() - minutes(1));
  EXPECT_EQ(undelivered[0].error, "");
  const auto held = must(store().claim_alert_messages(core::http_queue(), 1, seconds(30)));
  ASSERT_TRUE(must(store().end_alert_message({.id = held.at(0).id,
                                              .fence = held.at(0).fence,
                                              .state = AlertMessageState::kFailed,
                                              .error = "no"})));
  undelivered = must(store().undelivered_alerts());
  EXPECT_EQ(undelivered.at(0).given_up, 1);
  EXPECT_EQ(undelivered.at(0).error, "no");
  run(job, false);
  look();
  look();
  EXPECT_EQ(receive().size(), 1U);
  EXPECT_TRUE(must(store().undelivered_alerts()).empty()) << "its receiver takes messages again";
}

TEST_P(AlertsTest, WhatWasGivenUpCountsForADayOrUntilTheRuleIsChanged) {
  const auto fail_one = [&](const std::string& rule) {
    must(store().put_alert_message(
        {.tenant = kMine, .rule = rule, .queue = "q", .target = "{}", .body = "{}"}));
    const auto held = must(store().claim_alert_messages("q", 1, seconds(30)));
    must(store().end_alert_message({.id = held.at(0).id,
                                    .fence = held.at(0).fence,
                                    .state = AlertMessageState::kFailed,
                                    .error = "no"}));
  };
  put_rule("a", in_a_row(1));
  put_rule("b", in_a_row(1));
  fail_one("a");
  pass(seconds(1));
  fail_one("b");
  EXPECT_EQ(must(store().undelivered_alerts()).size(), 2U);
  pass(seconds(1));
  put_rule("a", in_a_row(2));
  EXPECT_EQ(must(store().undelivered_alerts()).at(0).rule, "b");
  pass(std::chrono::days(1));
  EXPECT_TRUE(must(store().undelivered_alerts()).empty());
}

TEST_P(AlertsTest, SeesWhatNodesSayOfTheirJobsAndClocks) {
  put_rule("broken", {{"when", "schedule_broken"}});
  put_rule("clocks", {{"when", "clock_offset"}, {"after", Duration(seconds(2)).count()}});
  const JobId job = add_job("a").id;
  NodeNote note{.node = node(1).incarnation,
                .clock_offset = seconds(1),
                .partitions = {partition_of(job)},
                .broken = {{job, "no such zone"}}};
  must(store().put_node_note(note));
  EXPECT_EQ(look().opened, 1U);
  EXPECT_NE(alerts(true).at(0).sentence.find("no such zone"), std::string::npos);
  must(store().put_node_note({.node = node(2).incarnation, .partitions = {partition_of(job)}}));
  EXPECT_EQ(look().ended, 0U) << "it is not the owner, and knows nothing of the job";
  must(store().put_node_note({.node = node(1).incarnation}));
  EXPECT_EQ(look().ended, 0U) << "it has not read the partition yet";
  note.broken.clear();
  note.clock_offset = -seconds(3);
  must(store().put_node_note(note));
  const auto seen = look();
  EXPECT_EQ(seen.ended, 1U);
  EXPECT_EQ(seen.opened, 1U);
  EXPECT_EQ(alerts(true).at(0).subject, node(1).name);
  EXPECT_EQ(must(store().overview()).nodes.at(0).clock_offset, Duration(-seconds(3)));
}

TEST_P(AlertsTest, ADeposedOwnerBreaksNoSchedule) {
  put_rule("broken", {{"when", "schedule_broken"}});
  const JobId job = add_job("a").id;
  must(store().put_node_note({.node = node(2).incarnation,
                              .partitions = {partition_of(job)},
                              .broken = {{job, "no such zone"}}}));
  EXPECT_EQ(look().opened, 0U);
}

TEST_P(AlertsTest, TheAlertsOfADeletedRuleEndUnheard) {
  put_rule("r", in_a_row(1));
  run(add_job("a").id, true);
  look();
  must(store().delete_alert_rule(kMine, "r", {}));
  EXPECT_TRUE(alerts(true).empty());
  look();
  EXPECT_TRUE(receive().empty());
  EXPECT_EQ(code_of(store().delete_alert_rule(kMine, "r", {})), Errc::kNotFound);
}

TEST_P(AlertsTest, AStaleLookChangesNothing) {
  put_rule("r", in_a_row(1));
  const AlertLook stale = must(store().begin_alert_look());
  look();
  AlertFindings findings{.look = stale.number};
  findings.opens.push_back({kMine, {.rule = "r", .subject = "a", .sentence = "?"}});
  EXPECT_EQ(code_of(store().end_alert_look(findings)), Errc::kConflict);
  EXPECT_TRUE(alerts().empty());
}

TEST_P(AlertsTest, AMessageIsHeldUnderItsFence) {
  must(store().put_alert_message(
      {.tenant = kMine, .rule = "r", .queue = "q", .target = R"({"kind":"MAIL"})", .body = "{}"}));
  const auto first = must(store().claim_alert_messages("q", 10, seconds(30)));
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(must(store().claim_alert_messages("q", 10, seconds(30))).empty());
  EXPECT_TRUE(must(store().hold_alert_message(first[0].id, first[0].fence, seconds(60))));
  pass(seconds(60));
  const auto second = must(store().claim_alert_messages("q", 10, seconds(30)));
  ASSERT_EQ(second.size(), 1U) << "the lease is over";
  EXPECT_EQ(second[0].attempt, 2U);
  EXPECT_FALSE(must(store().hold_alert_message(first[0].id, first[0].fence, seconds(60))));
  EXPECT_FALSE(must(store().end_alert_message(
      {.id = first[0].id, .fence = first[0].fence, .state = AlertMessageState::kSent})));
  EXPECT_TRUE(must(store().end_alert_message(
      {.id = second[0].id, .fence = second[0].fence, .error = "no", .wait = seconds(5)})));
  EXPECT_TRUE(must(store().claim_alert_messages("q", 10, seconds(30))).empty());
  EXPECT_EQ(must(store().list_alert_messages(kMine, true, 10)).at(0).error, "no");
  pass(seconds(5));
  EXPECT_EQ(must(store().claim_alert_messages("q", 10, seconds(30))).at(0).attempt, 3U);
}

TEST_P(AlertsTest, TenantsTakeTurns) {
  constexpr TenantId kTheirs{2};
  const auto put = [&](TenantId tenant, const char* rule) {
    must(store().put_alert_message(
        {.tenant = tenant, .rule = rule, .queue = "q", .target = "{}", .body = "{}"}));
  };
  for (int i = 0; i < 5; ++i) put(kMine, "flood");
  put(kTheirs, "one");
  std::vector<std::string> claimed;
  for (const auto& each : must(store().claim_alert_messages("q", 2, seconds(30))))
    claimed.push_back(each.rule);
  std::ranges::sort(claimed);
  EXPECT_EQ(claimed, (std::vector<std::string>{"flood", "one"}));
}

// A day of jobs that fail and recover, with a watcher whose every call may be refused or lose its
// request or its reply, which is also how a watcher that is killed in the middle looks. What is
// told is compared with a model that sees only the runs.
TEST_P(AlertsTest, ThroughADayOfFaultsEachChangeIsToldOnce) {
  put_rule("r", in_a_row(2));
  Rng rng(7);
  FaultyStore faulty(store(), [&](std::string_view) {
    const std::uint64_t roll = rng.next_u64() % 12;
    return roll < 3 ? static_cast<Fault>(roll + 1) : Fault::kNone;
  });
  service::AlertWatch watch({faulty, faulty, faulty}, zones_);
  std::vector<JobId> jobs;
  std::map<std::string, int> in_a_row_of;
  for (int i = 0; i < 20; ++i) jobs.push_back(add_job("job" + std::to_string(i)).id);
  std::map<std::string, int> expected;  // how often each job's alert was to open
  std::map<std::string, int> recoveries;
  std::set<std::string> open;
  for (int step = 0; step < 300; ++step) {
    const std::size_t which = rng.next_u64() % jobs.size();
    const std::string name = "job" + std::to_string(which);
    const bool failed = rng.next_u64() % 2 == 0;
    run(jobs[which], failed);
    in_a_row_of[name] = failed ? in_a_row_of[name] + 1 : 0;
    if (in_a_row_of[name] >= 2 && open.insert(name).second) ++expected[name];
    if (!failed && open.erase(name) > 0) ++recoveries[name];
    pass(seconds(5));
    // It looks again until a look has come through, so that none of the changes is missed.
    for (int tries = 0; tries < 100; ++tries) {
      if (watch.run_once()) break;
    }
  }
  look();
  look();
  std::map<std::string, int> told;
  std::map<std::string, int> told_recoveries;
  for (const Json& body : receive()) {
    for (const Json& one : body.at("opened")) ++told[one.at("subject").get<std::string>()];
    for (const Json& one : body.at("recovered")) {
      ++told_recoveries[one.at("subject").get<std::string>()];
    }
  }
  EXPECT_EQ(told, expected);
  EXPECT_EQ(told_recoveries, recoveries);
  EXPECT_GT(expected.size(), 10U);
  EXPECT_EQ(alerts(true).size(), open.size());
}

BELFRY_FOR_EACH_STORE(AlertsTest);

}  // namespace
}  // namespace belfry::store
