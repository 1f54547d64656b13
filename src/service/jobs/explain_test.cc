#include "service/jobs/explain.h"

#include "core/schedule/zone_catalog.h"

#include <gtest/gtest.h>

namespace belfry::service {
namespace {

using namespace std::chrono_literals;
using core::JobStatus;
using core::RunState;
using core::SkipReason;

constexpr Instant kTick = from_unix_seconds(1'800'000'000);  // 2027-01-15T08:00:00Z, a full hour

class ExplainTest : public testing::Test {
 protected:
  // An hourly job, an hour later; the tick is decided, and what became of it is up to the test.
  ExplainFacts facts() {
    store::RevisionRow revision{.revision = 3, .effective_from = kTick - 24h};
    revision.schedule.cron_expression = "0 * * * *";
    return {.at = kTick,
            .now = kTick + 1h,
            .revision = revision,
            .schedule = *core::Schedule::make(revision.schedule, zones_),
            .decided_through = kTick + 30min};
  }
  static store::RunRow run(RunState state) {
    store::RunRow row{.state = state, .scheduled_for = kTick, .decided_at = kTick + 4ms};
    row.job_type = "mail";
    return row;
  }
  static store::SkipRow skip(SkipReason reason) {
    return {.first = Tick(kTick), .last = Tick(kTick), .reason = reason};
  }
  static std::string first_failed(const Explanation& answer) {
    for (const Check& check : answer.checks) {
      if (check.passed != true) return check.check;
    }
    return "";
  }

  core::ZoneCatalog zones_;
};

TEST_F(ExplainTest, EveryReasonOfASkipHasWords) {
  for (int i = 0; i <= static_cast<int>(SkipReason::kScheduleChanged); ++i) {
    ExplainFacts asked = facts();
    asked.skip = skip(static_cast<SkipReason>(i));
    const Explanation answer = explain(asked);
    EXPECT_EQ(answer.verdict, core::name_of(static_cast<SkipReason>(i)));
    EXPECT_EQ(first_failed(answer), "run");
    EXPECT_GT(answer.sentence.size(), 20U) << answer.sentence;
    EXPECT_EQ(answer.checks.size(), 7U);
  }
}

TEST_F(ExplainTest, ARunThatSucceeded) {
  ExplainFacts asked = facts();
  asked.run = run(RunState::kSucceeded);
  asked.run->started_at = kTick + 10ms;
  asked.run->worker = "w1";
  const Explanation answer = explain(asked);
  EXPECT_EQ(answer.verdict, "run");
  EXPECT_EQ(first_failed(answer), "");
  EXPECT_NE(answer.sentence.find("succeeded"), std::string::npos);
}

TEST_F(ExplainTest, ARunThatNobodyClaims) {
  ExplainFacts asked = facts();
  asked.run = run(RunState::kReady);
  const Explanation answer = explain(asked);
  EXPECT_EQ(answer.verdict, "run");
  EXPECT_EQ(first_failed(answer), "started");
  EXPECT_NE(answer.checks[5].remedy.find("`mail`"), std::string::npos);
}

TEST_F(ExplainTest, ARunThatFailed) {
  ExplainFacts asked = facts();
  asked.run = run(RunState::kDead);
  asked.run->started_at = kTick + 10ms;
  asked.run->error = "HTTP 503";
  const Explanation answer = explain(asked);
  EXPECT_EQ(first_failed(answer), "succeeded");
  EXPECT_NE(answer.checks[6].detail.find("HTTP 503"), std::string::npos);
}

TEST_F(ExplainTest, TheJobWasNotThere) {
  ExplainFacts asked = facts();
  asked.revision.reset();
  asked.schedule.reset();
  EXPECT_EQ(explain(asked).verdict, "no_job");
}

TEST_F(ExplainTest, TheScheduleHasNoTickThere) {
  ExplainFacts asked = facts();
  asked.at = kTick + 5min;
  const Explanation answer = explain(asked);
  EXPECT_EQ(answer.verdict, "not_matching");
  EXPECT_EQ(answer.before, kTick);
  EXPECT_EQ(answer.after, kTick + 1h);
}

TEST_F(ExplainTest, OutsideItsBounds) {
  ExplainFacts asked = facts();
  asked.revision->schedule.start_at = kTick + 1min;
  asked.schedule = *core::Schedule::make(asked.revision->schedule, zones_);
  EXPECT_EQ(explain(asked).verdict, "out_of_bounds");
}

TEST_F(ExplainTest, PausedAndCancelled) {
  ExplainFacts asked = facts();
  asked.revision->status = JobStatus::kPaused;
  asked.paused_by = "key:ops";
  asked.pause_note = "lunch";
  EXPECT_EQ(explain(asked).verdict, "paused");
  EXPECT_NE(explain(asked).sentence.find("key:ops (\"lunch\")"), std::string::npos);
  asked.revision->paused_until = kTick - 1min;  // over by then
  asked.at = kTick;
  asked.skip = skip(SkipReason::kOverlap);
  EXPECT_EQ(explain(asked).verdict, "overlap");
  asked.revision->status = JobStatus::kCancelled;
  EXPECT_EQ(explain(asked).verdict, "cancelled");
}

TEST_F(ExplainTest, WhatIsNotDecidedYet) {
  ExplainFacts asked = facts();
  asked.decided_through = kTick - 1s;
  EXPECT_EQ(explain(asked).verdict, "undecided");
  asked.owned = false;
  EXPECT_NE(explain(asked).sentence.find("no living node"), std::string::npos);
  asked.now = kTick - 1h;
  EXPECT_EQ(explain(asked).verdict, "not_yet");
}

TEST_F(ExplainTest, WhatIsForgotten) {
  EXPECT_EQ(explain(facts()).verdict, "forgotten");
}

}  // namespace
}  // namespace belfry::service
