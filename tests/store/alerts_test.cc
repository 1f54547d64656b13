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
  EXPECT_EQ(look().opened, 0U);
  EXPECT_EQ(must(store().list_alert_silences(kMine)).size(), 1U);
  pass(minutes(10));
  EXPECT_EQ(look().opened, 1U);
  EXPECT_TRUE(must(store().list_alert_silences(kMine)).empty());
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
