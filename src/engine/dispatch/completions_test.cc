#include "engine/dispatch/completions.h"

#include "engine/dispatch/reaper.h"
#include "tests/engine/dispatch_fixture.h"

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;
using core::AttemptOutcome;
using core::RunState;
using store::Fault;

// Refuses results that say "poison".
class PickyStore final : public store::FaultyStore {
 public:
  using FaultyStore::FaultyStore;

  Result<std::vector<bool>> end_attempts(std::span<const store::AttemptEnd> ends) override {
    for (const store::AttemptEnd& end : ends) {
      if (end.result == "poison") return fail(Errc::kInvalid, "poison");
    }
    return FaultyStore::end_attempts(ends);
  }
};

class CompletionsTest : public DispatchFixture {
 protected:
  using Answer = Result<CompletionAnswer>;

  ClaimedRun claim_one() {
    trigger(add_job(), 1);
    return claim(1).at(0);
  }
  static Completion success(const RunGrant& grant) {
    return {.grant = grant, .outcome = AttemptOutcome::kSucceeded, .result = "{}"};
  }
  static Completion failure(const RunGrant& grant, bool retryable = true) {
    return {.grant = grant,
            .outcome = AttemptOutcome::kFailed,
            .error = "failed",
            .retryable = retryable};
  }
  // The answer appears in what this returns.
  std::shared_ptr<std::optional<Answer>> report(const Completion& completion) {
    auto kept = std::make_shared<std::optional<Answer>>();
    completions_.complete({completion}, [kept](std::vector<Answer> answers) {
      EXPECT_FALSE(kept->has_value()) << "answered twice";
      *kept = answers.at(0);
    });
    return kept;
  }
  Completions::Report run() { return must(completions_.run_once(now())); }
  void run_failing() { EXPECT_FALSE(completions_.run_once(now())); }
  CompletionAnswer answer_to(const Completion& completion) {
    const auto answer = report(completion);
    run();
    return must(**answer);
  }

  Completions completions_{store_, live_, observer_, Rng(1), {.most_waiting = 100}};
};

TEST_F(CompletionsTest, ManyReportsAreOneStatement) {
  trigger(add_job(), 50);
  std::vector<std::shared_ptr<std::optional<Answer>>> answers;
  const auto runs = claim(50);
  for (const ClaimedRun& run : runs) answers.push_back(report(success(grant_of(run))));
  EXPECT_EQ(completions_.next_wakeup(), BootInstant::min());
  EXPECT_EQ(run().ended, 50U);
  for (const auto& answer : answers) EXPECT_EQ(must(**answer), CompletionAnswer::kOk);
  EXPECT_EQ(calls("end_attempts"), 1);
  EXPECT_EQ(calls("facts_of"), 0);  // a success needs none
  EXPECT_EQ(row_of(runs[7].run).state, RunState::kSucceeded);
  EXPECT_EQ(completions_.next_wakeup(), std::nullopt);
}

TEST_F(CompletionsTest, ACallerIsAnsweredInItsOrder) {
  trigger(add_job(), 2);
  const auto runs = claim(2);
  RunGrant stale = grant_of(runs[1]);
  stale.fence = Fence(stale.fence.value() - 1);
  std::vector<Answer> answers;
  completions_.complete({success(stale), failure(grant_of(runs[0])), success(grant_of(runs[1]))},
                        [&](std::vector<Answer> all) { answers = std::move(all); });
  run();
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(must(answers[0]), CompletionAnswer::kFenced);
  EXPECT_EQ(must(answers[1]), CompletionAnswer::kOk);
  EXPECT_EQ(must(answers[2]), CompletionAnswer::kOk);
}

TEST_F(CompletionsTest, AFailureIsTriedAgainAndSaysWhen) {
  const ClaimedRun run_ = claim_one();
  report(failure(grant_of(run_)));
  run();
  EXPECT_EQ(row_of(run_.run).state, RunState::kRetrying);
  catch_up();
  const auto wait = live_.until_next_due();
  ASSERT_TRUE(wait);
  pass(*wait);
  EXPECT_EQ(claim(1).at(0).attempt, AttemptNo(2));
}

TEST_F(CompletionsTest, APermanentFailureIsADeadLetter) {
  const ClaimedRun run_ = claim_one();
  EXPECT_EQ(answer_to(failure(grant_of(run_), false)), CompletionAnswer::kOk);
  EXPECT_EQ(row_of(run_.run).state, RunState::kDead);
}

TEST_F(CompletionsTest, AWorkerThatDoesNotKnowTheTypeEndsTheRun) {
  const ClaimedRun run_ = claim_one();
  Completion unknown = failure(grant_of(run_), false);
  unknown.error = "unknown_handler: this worker has no handler for `x`";
  EXPECT_EQ(answer_to(unknown), CompletionAnswer::kOk);
  EXPECT_EQ(row_of(run_.run).state, RunState::kDead);
  EXPECT_EQ(must(truth_->find_run(run_.run)).reason, core::DeadReason::kUnknownHandler);
}

TEST_F(CompletionsTest, ACancelledRunIsNotTriedAgain) {
  const ClaimedRun run_ = claim_one();
  EXPECT_TRUE(must(truth_->cancel_run(run_.run)));
  answer_to(failure(grant_of(run_)));
  EXPECT_EQ(row_of(run_.run).state, RunState::kCancelled);
}

TEST_F(CompletionsTest, AWorkerWhoseLeaseEndedIsFenced) {
  const ClaimedRun run_ = claim_one();
  pass(1min);
  catch_up();
  Reaper reaper(*truth_, live_, observer_, Rng(1));
  EXPECT_EQ(must(reaper.run_once()).ended, 1U);
  EXPECT_EQ(answer_to(success(grant_of(run_))), CompletionAnswer::kFenced);
  EXPECT_EQ(answer_to(failure(grant_of(run_))), CompletionAnswer::kFenced);
  EXPECT_EQ(row_of(run_.run).state, RunState::kRetrying);
}

TEST_F(CompletionsTest, WhoHearsFencedFindsItInTheHistory) {
  const ClaimedRun run_ = claim_one();
  EXPECT_EQ(answer_to(success(grant_of(run_))), CompletionAnswer::kOk);
  std::string read;
  completions_.complete({failure(grant_of(run_))}, [&](const std::vector<Answer>&) {
    read = must(truth_->attempts_of(run_.run)).at(0).error;
  });
  run();
  EXPECT_NE(read.find("its worker reported FAILED"), std::string::npos) << read;
}

TEST_F(CompletionsTest, AHistoryThatCannotBeWrittenHoldsUpNoAnswer) {
  const ClaimedRun run_ = claim_one();
  EXPECT_EQ(answer_to(success(grant_of(run_))), CompletionAnswer::kOk);
  const auto late = report(failure(grant_of(run_)));
  next("note_late", Fault::kUnavailable);
  run_failing();
  EXPECT_EQ(must(**late), CompletionAnswer::kFenced);
}

TEST_F(CompletionsTest, ALostReplyIsFoundOut) {
  for (const bool fails : {false, true}) {
    const ClaimedRun run_ = claim_one();
    const RunGrant grant = grant_of(run_);
    const auto answer = report(fails ? failure(grant) : success(grant));
    next("end_attempts", Fault::kLostReply);
    run_failing();
    EXPECT_FALSE(*answer);
    EXPECT_EQ(completions_.next_wakeup(), now() + 100ms);
    pass(100ms);
    run();
    EXPECT_EQ(must(**answer), CompletionAnswer::kOk);
    EXPECT_EQ(must(truth_->attempts_of(run_.run)).size(), 1U);
  }
}

TEST_F(CompletionsTest, ALostRequestIsRepeated) {
  const ClaimedRun run_ = claim_one();
  const auto answer = report(success(grant_of(run_)));
  next("end_attempts", Fault::kLostRequest);
  run_failing();
  pass(100ms);
  EXPECT_EQ(run().ended, 1U);
  EXPECT_EQ(must(**answer), CompletionAnswer::kOk);
}

TEST_F(CompletionsTest, SayingTheSameAgainIsOkAndSomethingElseIsNot) {
  const ClaimedRun run_ = claim_one();
  EXPECT_EQ(answer_to(success(grant_of(run_))), CompletionAnswer::kOk);
  EXPECT_EQ(answer_to(success(grant_of(run_))), CompletionAnswer::kOk);
  EXPECT_EQ(answer_to(failure(grant_of(run_))), CompletionAnswer::kFenced);
  EXPECT_EQ(row_of(run_.run).state, RunState::kSucceeded);
}

TEST_F(CompletionsTest, TheSameReportTwiceAtOnceEndsTheRunOnce) {
  const ClaimedRun run_ = claim_one();
  const auto first = report(success(grant_of(run_)));
  const auto second = report(success(grant_of(run_)));
  EXPECT_EQ(run().ended, 1U);
  EXPECT_EQ(must(**first), CompletionAnswer::kOk);
  EXPECT_EQ(must(**second), CompletionAnswer::kOk);
}

TEST_F(CompletionsTest, AnExplanationThatFailsIsAskedForAgain) {
  const ClaimedRun run_ = claim_one();
  EXPECT_EQ(answer_to(success(grant_of(run_))), CompletionAnswer::kOk);
  const auto again = report(success(grant_of(run_)));
  next("outcomes_of", Fault::kUnavailable);
  run_failing();
  EXPECT_FALSE(*again);
  pass(100ms);
  run();
  EXPECT_EQ(must(**again), CompletionAnswer::kOk);
}

TEST_F(CompletionsTest, PatienceEnds) {
  const ClaimedRun first = claim_one();
  const ClaimedRun second = claim_one();
  const auto unavailable = report(success(grant_of(first)));
  for (int i = 0; i <= 100; ++i) {
    next("end_attempts", Fault::kUnavailable);
    run_failing();
    pass(100ms);
  }
  ASSERT_TRUE(*unavailable);
  EXPECT_EQ((*unavailable)->error().code, Errc::kUnavailable);

  const auto unknown = report(success(grant_of(second)));
  next("end_attempts", Fault::kLostReply);
  run_failing();
  for (int i = 0; i <= 100; ++i) {
    pass(100ms);
    next("end_attempts", Fault::kUnavailable);
    run_failing();
    if (*unknown) break;
  }
  ASSERT_TRUE(*unknown);
  EXPECT_EQ((*unknown)->error().code, Errc::kUnknownOutcome);
  EXPECT_EQ(completions_.next_wakeup(), std::nullopt);
}

TEST_F(CompletionsTest, AReportTheStoreCannotTakeHurtsItsOwnerOnly) {
  PickyStore picky(*truth_, [](std::string_view) { return Fault::kNone; });
  Completions completions(picky, live_, observer_, Rng(1));
  trigger(add_job(), 20);
  std::vector<Completion> reports;
  for (const ClaimedRun& run : claim(20)) reports.push_back(success(grant_of(run)));
  reports[13].result = "poison";
  std::vector<Answer> answers;
  completions.complete(reports, [&](std::vector<Answer> all) { answers = std::move(all); });
  EXPECT_EQ(must(completions.run_once(now())).ended, 19U);
  ASSERT_EQ(answers.size(), 20U);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].has_value(), i != 13) << i;
  }
  EXPECT_EQ(answers[13].error().code, Errc::kInvalid);
}

TEST_F(CompletionsTest, BeatsOfManyWorkersAreOneStatement) {
  trigger(add_job(), 3);
  const auto runs = claim(3);
  EXPECT_TRUE(must(truth_->cancel_run(runs[2].run)));
  std::vector<HeartbeatAnswer> first;
  std::vector<HeartbeatAnswer> second;
  completions_.heartbeat({grant_of(runs[0]), {runs[1].run, Fence(0)}}, 1min,
                         [&](auto answers) { first = must(answers); });
  completions_.heartbeat({grant_of(runs[2])}, 1min, [&](auto answers) { second = must(answers); });
  run();
  EXPECT_EQ(first, (std::vector{HeartbeatAnswer::kExtended, HeartbeatAnswer::kFenced}));
  EXPECT_EQ(second, std::vector{HeartbeatAnswer::kCancel});
  EXPECT_EQ(calls("heartbeat"), 1);
}

TEST_F(CompletionsTest, EachBeatHasItsLease) {
  trigger(add_job(), 2);
  const auto runs = claim(2);
  const auto ignore = [](const auto&) {};
  completions_.heartbeat({grant_of(runs[0])}, 1min, ignore);
  completions_.heartbeat({grant_of(runs[1])}, 2min, ignore);
  run();
  pass(1min);
  const auto expired = must(test::find_expired(*truth_, 9));
  ASSERT_EQ(expired.size(), 1U);
  EXPECT_EQ(expired[0].grant, grant_of(runs[0]));
}

TEST_F(CompletionsTest, AFailedBeatIsTheWorkersToRepeat) {
  const ClaimedRun run_ = claim_one();
  std::optional<Errc> code;
  completions_.heartbeat({grant_of(run_)}, 1min,
                         [&](auto answers) { code = answers.error().code; });
  next("heartbeat", Fault::kUnavailable);
  run_failing();
  EXPECT_EQ(code, Errc::kUnavailable);
}

TEST_F(CompletionsTest, AnErrorOfReportsDoesNotHoldUpBeats) {
  const ClaimedRun run_ = claim_one();
  const auto answer = report(success(grant_of(run_)));
  next("end_attempts", Fault::kUnavailable);
  run_failing();
  bool beaten = false;
  completions_.heartbeat({grant_of(run_)}, 1min, [&](const auto&) { beaten = true; });
  EXPECT_EQ(completions_.next_wakeup(), BootInstant::min());
  run();
  EXPECT_TRUE(beaten);
  EXPECT_FALSE(*answer);
}

TEST_F(CompletionsTest, WhatWaitsHasALimit) {
  for (int i = 0; i < 100; ++i) report(success({}));
  const auto refused = report(success({}));
  ASSERT_TRUE(*refused);
  EXPECT_EQ((*refused)->error().code, Errc::kUnavailable);
  run();  // makes room
  EXPECT_FALSE(*report(success({})));
}

TEST_F(CompletionsTest, AStoppingNodeAnswersEverybody) {
  const auto waiting = report(success({}));
  bool beaten = false;
  completions_.heartbeat({}, 1min, [&](const auto& answers) { beaten = !answers; });
  completions_.close();
  ASSERT_TRUE(*waiting);
  EXPECT_EQ((*waiting)->error().code, Errc::kUnavailable);
  EXPECT_TRUE(beaten);
  EXPECT_TRUE(*report(success({})));
}

}  // namespace
}  // namespace belfry::engine
