#include "core/alerts/judge.h"

#include "base/rng.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace belfry::core {
namespace {

constexpr Instant kNow = from_unix_seconds(1'800'000'000);

AlertJob job_named(const std::string& name) {
  AlertJob job;
  job.job = JobId(7);
  job.name = name;
  job.job_type = "mail";
  job.labels = {"team=ops"};
  return job;
}

AlertRule rule_of(AlertWhen when) {
  return {.name = "r",
          .when = when,
          .count = 3,
          .window = std::chrono::hours(1),
          .after = std::chrono::minutes(5)};
}

// Whether the rule finds something wrong with this job.
bool finds(const AlertRule& rule, const AlertJob& job) {
  return !judge_alerts({rule}, {.now = kNow, .jobs = {job}}, {}, {}, {}).opens.empty();
}

TEST(JudgeAlerts, CountsFailuresInARow) {
  AlertJob job = job_named("a");
  job.failures_in_a_row = 2;
  EXPECT_FALSE(finds(rule_of(AlertWhen::kFailedInARow), job));
  job.failures_in_a_row = 3;
  EXPECT_TRUE(finds(rule_of(AlertWhen::kFailedInARow), job));
}

TEST(JudgeAlerts, CountsFailuresWithinTheWindow) {
  AlertJob job = job_named("a");
  job.failures = {kNow, kNow - std::chrono::minutes(30), kNow - std::chrono::hours(1)};
  EXPECT_FALSE(finds(rule_of(AlertWhen::kFailures), job));
  job.failures.push_back(kNow - std::chrono::minutes(59));
  EXPECT_TRUE(finds(rule_of(AlertWhen::kFailures), job));
}

TEST(JudgeAlerts, SeesWhatHasNotStartedAndWhatBeganLate) {
  AlertJob job = job_named("a");
  job.waits_since = kNow - std::chrono::minutes(4);
  job.unstarted_tick = kNow - std::chrono::minutes(6);
  EXPECT_FALSE(finds(rule_of(AlertWhen::kNotStarted), job));
  EXPECT_TRUE(finds(rule_of(AlertWhen::kLate), job));
  job.waits_since = kNow - std::chrono::minutes(5);
  EXPECT_TRUE(finds(rule_of(AlertWhen::kNotStarted), job));
  AlertJob other = job_named("b");
  other.last_lag = std::chrono::minutes(5);
  EXPECT_TRUE(finds(rule_of(AlertWhen::kLate), other));
  other.last_lag = std::chrono::minutes(4);
  EXPECT_FALSE(finds(rule_of(AlertWhen::kLate), other));
}

TEST(JudgeAlerts, ComparesARunWithItsUsualLength) {
  AlertRule rule = rule_of(AlertWhen::kRunning);
  AlertJob job = job_named("a");
  job.runs_since = kNow - std::chrono::minutes(5);
  EXPECT_TRUE(finds(rule, job));
  rule.times_usual = 2;
  EXPECT_FALSE(finds(rule, job)) << "nothing is usual yet";
  job.usual = std::chrono::minutes(3);
  EXPECT_FALSE(finds(rule, job));
  job.usual = std::chrono::minutes(2);
  EXPECT_TRUE(finds(rule, job));
}

TEST(JudgeAlerts, AddsUpDeadLettersOfTheJobsInScope) {
  AlertRule rule = rule_of(AlertWhen::kDeadLetters);
  rule.scope.labels = {"team=ops"};
  AlertFacts facts{.now = kNow, .jobs = {job_named("a"), job_named("b"), job_named("c")}};
  facts.jobs[0].dead_letters = 2;
  facts.jobs[1].dead_letters = 1;
  facts.jobs[2].dead_letters = 9;
  facts.jobs[2].labels.clear();
  EXPECT_TRUE(judge_alerts({rule}, facts, {}, {}, {}).opens.empty());
  facts.jobs[1].dead_letters = 2;
  const auto verdict = judge_alerts({rule}, facts, {}, {}, {});
  ASSERT_EQ(verdict.opens.size(), 1U);
  EXPECT_EQ(verdict.opens[0].subject, "*");
}

TEST(JudgeAlerts, NamesTheTypeThatNoWorkerServes) {
  AlertRule rule = rule_of(AlertWhen::kNoWorker);
  const AlertFacts facts{
      .now = kNow, .queues = {{"mail", kNow - std::chrono::minutes(6), 3}, {"other", kNow, 1}}};
  const auto verdict = judge_alerts({rule}, facts, {}, {}, {});
  ASSERT_EQ(verdict.opens.size(), 1U);
  EXPECT_EQ(verdict.opens[0].subject, "mail");
  rule.scope.job_type = "other";
  EXPECT_TRUE(judge_alerts({rule}, facts, {}, {}, {}).opens.empty());
}

TEST(JudgeAlerts, GoesOnEndsAndKeepsQuiet) {
  const AlertRule rule = rule_of(AlertWhen::kFailedInARow);
  AlertJob job = job_named("a");
  job.failures_in_a_row = 3;
  const OpenAlert open{1, "r", "a"};
  const auto goes_on = judge_alerts({rule}, {.now = kNow, .jobs = {job}}, {open}, {}, {});
  EXPECT_TRUE(goes_on.opens.empty());
  EXPECT_TRUE(goes_on.ends.empty());

  job.failures_in_a_row = 0;
  const auto ends = judge_alerts({rule}, {.now = kNow, .jobs = {job}}, {open}, {}, {});
  ASSERT_EQ(ends.ends.size(), 1U);
  EXPECT_FALSE(ends.ends[0].quiet);

  job.paused = true;
  EXPECT_TRUE(judge_alerts({rule}, {.now = kNow, .jobs = {job}}, {open}, {}, {}).ends.at(0).quiet);
  job.failures_in_a_row = 3;
  EXPECT_FALSE(finds(rule, job)) << "a paused job is quiet";
  job.paused = false;
  const AlertSilence silence{.rule = "r", .scope = {.labels = {"team=ops"}}};
  EXPECT_TRUE(judge_alerts({rule}, {.now = kNow, .jobs = {job}}, {}, {silence}, {}).opens.empty());
  EXPECT_TRUE(judge_alerts({rule}, {.now = kNow, .jobs = {job}}, {}, {}, {"r"}).opens.empty());
}

TEST(JudgeAlerts, AnAlertWhoseJobIsGoneEnds) {
  const auto verdict =
      judge_alerts({rule_of(AlertWhen::kFailedInARow)}, {.now = kNow}, {{1, "r", "gone"}}, {}, {});
  EXPECT_EQ(verdict.ends.size(), 1U);
}

// A day of failures and successes, against a model that knows nothing but the definition: open
// while the last `count` runs failed. Each change is seen once, in turn, and none is left out.
TEST(JudgeAlerts, AgreesWithANaiveModelThroughADay) {
  Rng rng(42);
  const AlertRule rule = rule_of(AlertWhen::kFailedInARow);
  std::map<std::string, std::vector<bool>> ran;  // the model: each run, and whether it failed
  std::map<std::string, std::uint64_t> open;     // what was told
  std::uint64_t next_id = 1;
  std::size_t changes = 0;
  for (int step = 0; step < 5'000; ++step) {
    const std::string name = "job" + std::to_string(rng.next_u64() % 50);
    ran[name].push_back(rng.next_u64() % 2 == 0);
    AlertFacts facts{.now = kNow + std::chrono::seconds(step)};
    std::set<std::string> expected;
    for (const auto& [job, runs] : ran) {
      std::int64_t in_a_row = 0;
      for (auto run = runs.rbegin(); run != runs.rend() && *run; ++run) ++in_a_row;
      AlertJob fact = job_named(job);
      fact.failures_in_a_row = in_a_row;
      facts.jobs.push_back(fact);
      const bool all = runs.size() >= 3 && runs[runs.size() - 1] && runs[runs.size() - 2] &&
                       runs[runs.size() - 3];
      if (all) expected.insert(job);
    }
    std::vector<OpenAlert> known;
    for (const auto& [job, id] : open) known.push_back({id, "r", job});
    const auto verdict = judge_alerts({rule}, facts, known, {}, {});
    for (const auto& end : verdict.ends) {
      std::erase_if(open, [&](const auto& one) { return one.second == end.id; });
    }
    for (const auto& opening : verdict.opens) {
      EXPECT_TRUE(open.emplace(opening.subject, next_id++).second) << "opened twice";
    }
    changes += verdict.opens.size() + verdict.ends.size();
    std::set<std::string> now_open;
    for (const auto& [job, id] : open) now_open.insert(job);
    ASSERT_EQ(now_open, expected) << "after step " << step;
  }
  EXPECT_GT(changes, 100U);
}

TEST(UsualDuration, IsTheMedianOfEnough) {
  using std::chrono::seconds;
  EXPECT_FALSE(usual_duration({seconds(1), seconds(1), seconds(1), seconds(1)}));
  EXPECT_EQ(usual_duration({seconds(9), seconds(1), seconds(2), seconds(100), seconds(3)}),
            Duration(seconds(3)));
}

}  // namespace
}  // namespace belfry::core
