#include "engine/dispatch/claims.h"

#include "engine/dispatch/reaper.h"
#include "tests/engine/dispatch_fixture.h"

#include <algorithm>
#include <map>

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;
using core::RunState;
using store::Fault;

class ClaimsTest : public DispatchFixture {
 protected:
  // The workers that were answered, and with what.
  using Answers = std::map<std::string, std::vector<ClaimedRun>>;

  Claim claim_of(const std::string& worker, std::size_t most = 10) const {
    return {.worker = worker, .job_types = {"default"}, .max_runs = most, .until = now() + 30s};
  }
  Dispatch::OnRuns keep(const std::string& worker, bool taken = true) {
    return [this, worker, taken](std::vector<ClaimedRun> runs) {
      EXPECT_FALSE(answers_.contains(worker)) << "answered twice";
      answers_[worker] = std::move(runs);
      return taken;
    };
  }
  ClaimId claim(const Claim& wanted) { return must(claims_.claim(wanted, keep(wanted.worker))); }
  ClaimId claim(const std::string& worker, std::size_t most = 10) {
    return claim(claim_of(worker, most));
  }
  Claims::Report run() {
    catch_up();
    return must(claims_.run_once(now()));
  }

  std::size_t runs_of(const std::string& worker) const { return answers_.at(worker).size(); }
  bool waits(const std::string& worker) const { return !answers_.contains(worker); }

  ClaimsTest() {
    live_.on_ready([this] { claims_.wake(); });
  }

  Claims claims_{store_, live_, observer_, {.most_waiting = 200}};
  Answers answers_;
};

TEST_F(ClaimsTest, WorkGoesToWhoWaitsLongestAsMuchAsItAskedFor) {
  const JobId job = add_job();
  trigger(job, 15);
  claim("first");
  claim("second");
  claim("third");
  EXPECT_EQ(run().granted, 15U);
  EXPECT_EQ(runs_of("first"), 10U);
  EXPECT_EQ(runs_of("second"), 5U);
  EXPECT_TRUE(waits("third"));
  EXPECT_EQ(calls("grant"), 1);
}

TEST_F(ClaimsTest, EachRunCarriesItsWorkerAndLease) {
  trigger(add_job(), 2);
  Claim patient = claim_of("patient", 1);
  patient.lease = 5min;
  claim("hasty", 1);
  claim(patient);
  run();
  const ClaimedRun hasty = answers_.at("hasty").at(0);
  const ClaimedRun slow = answers_.at("patient").at(0);
  EXPECT_EQ(row_of(hasty.run).worker, "hasty");
  EXPECT_EQ(row_of(slow.run).worker, "patient");
  EXPECT_EQ(hasty.lease_until, clock_.wall_now() + 30s);
  EXPECT_EQ(slow.lease_until, clock_.wall_now() + 5min);
}

TEST_F(ClaimsTest, WithNobodyWaitingThereIsNoStatement) {
  trigger(add_job(), 1);
  claims_.wake();
  EXPECT_EQ(claims_.next_wakeup(), std::nullopt);
  run();
  EXPECT_EQ(calls("grant"), 0);
}

TEST_F(ClaimsTest, WithNothingDueThereIsAStatementASecond) {
  for (int i = 0; i < 50; ++i) claim("worker" + std::to_string(i));
  const BootInstant end = now() + 10s;
  while (now() < end) {
    run();
    const BootInstant wake = claims_.next_wakeup().value_or(end);
    pass(std::max(wake - now(), Duration(1)));
  }
  EXPECT_LE(calls("find_waiting"), 11);
  EXPECT_GE(calls("find_waiting"), 10);
  EXPECT_EQ(calls("grant"), 0);
}

TEST_F(ClaimsTest, AskingAgainAndAgainCostsNoStatementEach) {
  for (int i = 0; i < 100; ++i) {
    Claim hurried = claim_of("worker" + std::to_string(i));
    hurried.until = now();
    claim(hurried);
    run();
    EXPECT_EQ(runs_of(hurried.worker), 0U);
    pass(10ms);
  }
  EXPECT_EQ(calls("find_waiting"), 1);
}

TEST_F(ClaimsTest, WhoDoesNotWantToWaitGetsWhatIsThere) {
  trigger(add_job(), 1);
  Claim hurried = claim_of("hurried");
  hurried.until = now();
  claim(hurried);
  run();
  EXPECT_EQ(runs_of("hurried"), 1U);
}

TEST_F(ClaimsTest, AWakeIsAnsweredAtOnce) {
  const JobId job = add_job();
  claim("worker");
  run();
  int rings = 0;
  claims_.on_work([&] { ++rings; });
  trigger(job, 1);
  catch_up();
  EXPECT_EQ(rings, 1);
  EXPECT_EQ(claims_.next_wakeup(), BootInstant::min());
  run();
  EXPECT_EQ(runs_of("worker"), 1U);
}

TEST_F(ClaimsTest, AWakeDuringTheStatementIsNotLost) {
  const JobId job = add_job();
  claim("worker");
  during("find_waiting", [&] {
    trigger(job, 1);  // when the book was looked at, it was not there yet
    catch_up();
  });
  run();
  EXPECT_EQ(claims_.next_wakeup(), BootInstant::min());
  run();
  EXPECT_EQ(runs_of("worker"), 1U);
}

TEST_F(ClaimsTest, RunsOfOtherNodesAreFoundWithinASecond) {
  const JobId job = add_job();
  live_.disown(partition_of(job));
  claim("worker");
  run();
  trigger(job, 1);
  EXPECT_EQ(claims_.next_wakeup(), now() + 1s);
  pass(1s);
  run();
  EXPECT_EQ(runs_of("worker"), 1U);
}

TEST_F(ClaimsTest, RunsOfOtherNodesAreFoundAtOnceWhenTheySaySo) {
  const JobId job = add_job();
  live_.disown(partition_of(job));
  claim("worker");
  run();
  trigger(job, 1);
  claims_.wake();
  run();
  EXPECT_TRUE(waits("worker"));  // it was not about them
  claims_.wake_for_elsewhere();
  run();
  EXPECT_EQ(runs_of("worker"), 1U);
}

TEST_F(ClaimsTest, AnAlarmIsKept) {
  claim("worker");
  run();
  claims_.wake_at(now() + 123ms);
  EXPECT_EQ(claims_.next_wakeup(), now() + 130ms);  // rounded up, together with others
  trigger(add_job(), 1);
  pass(130ms);
  run();
  EXPECT_EQ(runs_of("worker"), 1U);
}

TEST_F(ClaimsTest, WhoeverWaitedLongEnoughIsAnsweredWithNothing) {
  claim("worker");
  pass(29s);
  run();
  EXPECT_TRUE(waits("worker"));
  pass(1s);
  EXPECT_EQ(run().expired, 1U);
  EXPECT_EQ(runs_of("worker"), 0U);
  EXPECT_EQ(claims_.waiting(), 0U);
}

TEST_F(ClaimsTest, WorkersOfOtherTypesAreServedApart) {
  trigger(add_job("a"), 1);
  trigger(add_job("b"), 1);
  Claim wants_a = claim_of("a");
  wants_a.job_types = {"a"};
  Claim wants_both = claim_of("both");
  wants_both.job_types = {"b", "a", "b"};
  claim(wants_a);
  claim(wants_both);
  run();
  ASSERT_EQ(runs_of("a"), 1U);
  EXPECT_EQ(answers_.at("a")[0].job_type, "a");
  ASSERT_EQ(runs_of("both"), 1U);
  EXPECT_EQ(answers_.at("both")[0].job_type, "b");
}

TEST_F(ClaimsTest, AWorkerOfATenantGetsItsTenantsRuns) {
  const TenantId other = must(truth_->put_tenant({.name = "other"}));
  trigger(add_job(), 3);
  trigger(add_job("default", core::OverlapPolicy::kAllow, other), 2);
  Claim own = claim_of("own");
  own.tenant = other;
  claim(own);
  run();
  ASSERT_EQ(runs_of("own"), 2U);
  for (const ClaimedRun& run : answers_.at("own")) EXPECT_EQ(run.tenant, other);
}

TEST_F(ClaimsTest, WhoHasGoneIsNotClaimedFor) {
  trigger(add_job(), 1);
  const ClaimId gone = claim("gone");
  EXPECT_TRUE(claims_.withdraw(gone));
  EXPECT_FALSE(claims_.withdraw(gone));
  run();
  EXPECT_TRUE(waits("gone"));
  EXPECT_EQ(calls("grant"), 0);
}

TEST_F(ClaimsTest, RunsOfWhoHasGoneMeanwhileGoToTheNext) {
  trigger(add_job(), 1);
  const ClaimId gone = claim("gone");
  claim("next");
  during("grant", [&] { EXPECT_TRUE(claims_.withdraw(gone)); });
  EXPECT_EQ(run().returned, 1U);
  catch_up();
  EXPECT_EQ(claims_.next_wakeup(), BootInstant::min());
  run();
  EXPECT_TRUE(waits("gone"));
  ASSERT_EQ(runs_of("next"), 1U);
  EXPECT_EQ(answers_.at("next")[0].attempt, AttemptNo(1));  // it cost the run nothing
}

TEST_F(ClaimsTest, WhatCannotBeSentGoesToTheNext) {
  trigger(add_job(), 1);
  must(claims_.claim(claim_of("deaf"), keep("deaf", false)));
  claim("next");
  run();
  run();
  ASSERT_EQ(runs_of("next"), 1U);
  EXPECT_EQ(answers_.at("next")[0].run, answers_.at("deaf").at(0).run);
}

TEST_F(ClaimsTest, WhatCannotBeGivenBackWaitsForItsLease) {
  trigger(add_job(), 1);
  must(claims_.claim(claim_of("deaf"), keep("deaf", false)));
  next("return_runs", Fault::kUnavailable);
  EXPECT_EQ(run().returned, 0U);
  EXPECT_EQ(row_of(answers_.at("deaf").at(0).run).state, RunState::kRunning);
}

TEST_F(ClaimsTest, AnErrorLeavesTheWorkersWaiting) {
  trigger(add_job(), 1);
  claim("worker");
  next("grant", Fault::kUnavailable);
  catch_up();
  EXPECT_FALSE(claims_.run_once(now()));
  EXPECT_EQ(claims_.next_wakeup(), now() + 100ms);
  run();
  EXPECT_EQ(calls("grant"), 1);  // too soon
  pass(100ms);
  run();
  EXPECT_EQ(runs_of("worker"), 1U);
}

// The node knows its own claim, and gives back what nobody was told of.
TEST_F(ClaimsTest, RunsOfALostReplyComeBackAtOnceAndUntried) {
  trigger(add_job(), 1);
  claim("worker");
  next("grant", Fault::kLostReply);
  catch_up();
  EXPECT_FALSE(claims_.run_once(now()));
  EXPECT_TRUE(waits("worker"));
  catch_up();
  pass(200ms);
  catch_up();
  run();
  ASSERT_EQ(runs_of("worker"), 1U);
  EXPECT_EQ(answers_.at("worker")[0].attempt, AttemptNo(1));
}

TEST_F(ClaimsTest, AnAnswerMayAskAgain) {
  const JobId job = add_job();
  trigger(job, 2);
  std::size_t got = 0;
  Dispatch::OnRuns again = [&](std::vector<ClaimedRun> runs) {
    got += runs.size();
    if (!runs.empty()) must(claims_.claim(claim_of("worker", 1), again));
    return true;
  };
  must(claims_.claim(claim_of("worker", 1), again));
  run();
  run();
  EXPECT_EQ(got, 2U);
  EXPECT_EQ(claims_.waiting(), 1U);
}

TEST_F(ClaimsTest, ABigCrowdIsServedInSeveralStatements) {
  Claims claims(store_, live_, observer_, {.runs_per_claim = 4});
  trigger(add_job(), 10);
  catch_up();
  std::size_t got = 0;
  for (int i = 0; i < 10; ++i) {
    must(claims.claim(claim_of("worker", 1), [&](auto runs) {
      got += runs.size();
      return true;
    }));
  }
  for (int i = 0; i < 3; ++i) must(claims.run_once(now()));
  EXPECT_EQ(got, 10U);
  EXPECT_EQ(calls("grant"), 3);
}

TEST_F(ClaimsTest, TheCrowdHasALimit) {
  for (int i = 0; i < 200; ++i) claim("worker" + std::to_string(i));
  const auto refused = claims_.claim(claim_of("one too many"), keep("one too many"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kUnavailable);
  EXPECT_TRUE(waits("one too many"));
}

TEST_F(ClaimsTest, AStoppingNodeSendsEverybodyAway) {
  claim("a");
  claim("b");
  claims_.close();
  EXPECT_EQ(runs_of("a"), 0U);
  EXPECT_EQ(runs_of("b"), 0U);
  EXPECT_FALSE(claims_.claim(claim_of("late"), keep("late")));
}

}  // namespace
}  // namespace belfry::engine
