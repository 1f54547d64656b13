#include "core/alerts/judge.h"

#include "base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// Whether the rule finds something wrong with this job that may be told.
bool finds(const AlertRule& rule, const AlertJob& job,
           const std::vector<AlertSilence>& silences = {},
           const std::vector<std::string>& quiet_rules = {}) {
  const auto verdict =
      judge_alerts({rule}, {.now = kNow, .jobs = {job}}, {}, silences, quiet_rules);
  return std::ranges::any_of(verdict.opens, [](const auto& opening) { return !opening.quiet; });
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
  EXPECT_TRUE(verdict.opens[0].sentence.ends_with("and no worker has any"));
  AlertFacts regions = facts;
  regions.queues[0].region = "eu";
  EXPECT_TRUE(judge_alerts({rule}, regions, {}, {}, {})
                  .opens.at(0)
                  .sentence.ends_with("and no worker in region `eu` has any"));
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
  EXPECT_FALSE(finds(rule, job, {silence}));
  EXPECT_FALSE(finds(rule, job, {}, {"r"}));
}

TEST(JudgeAlerts, WhatBeginsQuietlyIsRememberedAndToldAfterwards) {
  const AlertRule rule = rule_of(AlertWhen::kFailedInARow);
  const AlertSilence silence{.rule = "r", .scope = {}};
  AlertJob job = job_named("a");
  job.failures_in_a_row = 3;
  const AlertFacts wrong{.now = kNow, .jobs = {job}};
  const auto begins = judge_alerts({rule}, wrong, {}, {silence}, {});
  ASSERT_EQ(begins.opens.size(), 1U);
  EXPECT_TRUE(begins.opens[0].quiet);

  const OpenAlert hushed{1, "r", "a", true};
  EXPECT_TRUE(judge_alerts({rule}, wrong, {hushed}, {silence}, {}).unhushed.empty());
  EXPECT_EQ(judge_alerts({rule}, wrong, {hushed}, {}, {}).unhushed, std::vector<std::uint64_t>{1});
  const auto over = judge_alerts({rule}, {.now = kNow}, {hushed}, {}, {});
  ASSERT_EQ(over.ends.size(), 1U);
  EXPECT_TRUE(over.ends[0].quiet);
  EXPECT_TRUE(over.ends[0].unheard) << "nobody was told, so nobody is told that it is over";
}

TEST(JudgeAlerts, ARuleThatTellsNoRecoveryStillTellsTheBeginning) {
  AlertRule rule = rule_of(AlertWhen::kFailedInARow);
  rule.recovered = false;
  const auto over = judge_alerts({rule}, {.now = kNow}, {{1, "r", "a"}}, {}, {});
  EXPECT_TRUE(over.ends.at(0).quiet);
  EXPECT_FALSE(over.ends.at(0).unheard);
}

TEST(JudgeAlerts, SeesSchedulesThatCannotBeEvaluated) {
  const AlertRule rule = rule_of(AlertWhen::kScheduleBroken);
  AlertJob job = job_named("a");
  EXPECT_FALSE(finds(rule, job));
  job.broken = "there is no time zone `Mars/Olympus`";
  const auto verdict = judge_alerts({rule}, {.now = kNow, .jobs = {job}}, {}, {}, {});
  ASSERT_EQ(verdict.opens.size(), 1U);
  EXPECT_NE(verdict.opens[0].sentence.find("Mars/Olympus"), std::string::npos);
}

TEST(JudgeAlerts, SeesClocksThatAreOff) {
  AlertRule rule = rule_of(AlertWhen::kClockOffset);
  rule.after = std::chrono::seconds(2);
  AlertJob namesake = job_named("slow");
  namesake.paused = true;
  const AlertFacts facts{.now = kNow,
                         .jobs = {namesake},
                         .nodes = {{"fine", std::chrono::milliseconds(1'999)},
                                   {"fast", std::chrono::seconds(3)},
                                   {"slow", -std::chrono::seconds(2)}}};
  const auto verdict = judge_alerts({rule}, facts, {}, {}, {});
  ASSERT_EQ(verdict.opens.size(), 2U);
  EXPECT_EQ(verdict.opens[0].sentence, "the clock of node fast is 3s ahead of the database's");
  EXPECT_EQ(verdict.opens[1].sentence, "the clock of node slow is 2s behind the database's");
  EXPECT_FALSE(verdict.opens[1].quiet) << "the job of that name is another thing";
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
