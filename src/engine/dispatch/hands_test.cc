#include "engine/dispatch/hands.h"

#include "engine/dispatch/claims.h"
#include "tests/engine/dispatch_fixture.h"

#include <map>

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;

class HandsTest : public DispatchFixture {
 protected:
  HandsTest() {
    live_.on_ready([this] { claims_.wake(); });
  }

  ClaimId wait(const std::string& worker, std::size_t most, bool taken = true) {
    return must(claims_.claim({.worker = worker,
                               .job_types = {"default"},
                               .max_runs = most,
                               .lease = 30s,
                               .until = now() + 30s},
                              [this, worker, taken](std::vector<ClaimedRun> runs) {
                                answers_[worker] = std::move(runs);
                                return taken;
                              }));
  }
  Hands::Run run_of(int number, const std::string& queue) {
    return {.run = {JobId(1 << 16), core::RunKey(number)}, .queue = &queue, .tenant = TenantId(1)};
  }
  std::vector<std::string> names(const Hands::Reservation& reservation) {
    std::vector<std::string> workers;
    for (const store::Taker* taker : reservation.takers()) {
      workers.push_back(taker == nullptr ? "" : taker->worker);
    }
    return workers;
  }
  std::vector<Hands::Run> runs(int count) {
    std::vector<Hands::Run> all;
    for (int i = 0; i < count; ++i) all.push_back(run_of(i, kQueue));
    return all;
  }
  // A run that is really granted to `worker`, as a decision would have.
  ClaimedRun granted(JobId job) {
    trigger(job, 1);
    return DispatchFixture::claim(1).at(0);
  }

  const std::string kQueue = "default";
  using Names = std::vector<std::string>;
  Claims claims_{store_, live_, observer_};
  std::map<std::string, std::vector<ClaimedRun>> answers_;
};

TEST_F(HandsTest, WhoWaitsLongestComesFirst) {
  wait("a", 2);
  wait("b", 2);
  auto reservation = claims_.reserve(runs(5));
  EXPECT_EQ(names(*reservation), (Names{"a", "a", "b", "b", ""}));
  EXPECT_EQ(claims_.waiting(), 0U);
  claims_.deliver(std::move(reservation), {});
  EXPECT_EQ(claims_.waiting(), 2U);
}

TEST_F(HandsTest, OnlyForTheQueueTheyWaitAt) {
  wait("a", 2);
  const std::string other = "other";
  const std::vector asked{run_of(1, other)};
  EXPECT_EQ(names(*claims_.reserve(asked)), Names{""});
}

TEST_F(HandsTest, OnlyInTheRegionTheyMayRunIn) {
  wait("a", 2);
  Hands::Run far = run_of(1, kQueue);
  far.region = RegionNo(1);
  Hands::Run near = run_of(2, kQueue);
  near.region = RegionNo(0);
  const std::vector asked{far, near, run_of(3, kQueue)};
  EXPECT_EQ(names(*claims_.reserve(asked)), (Names{"", "a", "a"}));
}

TEST_F(HandsTest, WhatWaitsAlreadyComesFirst) {
  wait("a", 2);
  trigger(add_job(), 1);
  catch_up();
  EXPECT_EQ(names(*claims_.reserve(runs(1))), Names{""});
}

TEST_F(HandsTest, RunsAreHandedOutByTheNextRound) {
  wait("a", 2);
  const ClaimedRun run = granted(add_job());
  const std::vector<Hands::Run> asked{{.run = run.run, .queue = &kQueue, .tenant = run.tenant}};
  int rings = 0;
  claims_.on_work([&] { ++rings; });
  claims_.deliver(claims_.reserve(asked), {run});
  EXPECT_EQ(rings, 1);
  EXPECT_EQ(claims_.next_wakeup(), BootInstant::min());
  EXPECT_EQ(must(claims_.run_once(now())).granted, 1U);
  EXPECT_EQ(answers_.at("a").at(0).fence, run.fence);
}

TEST_F(HandsTest, ARunWhoseTakerHasGoneIsGivenBack) {
  const ClaimId id = wait("a", 1, false);
  const ClaimedRun run = granted(add_job());
  const std::vector<Hands::Run> asked{{.run = run.run, .queue = &kQueue, .tenant = run.tenant}};
  auto reservation = claims_.reserve(asked);
  EXPECT_FALSE(claims_.withdraw(id));  // it will be called, and says that nobody is there
  claims_.deliver(std::move(reservation), {run});
  EXPECT_EQ(must(claims_.run_once(now())).returned, 1U);
  EXPECT_EQ(row_of(run.run).state, core::RunState::kReady);
}

TEST_F(HandsTest, WhoHasGoneDoesNotStandAgain) {
  const ClaimId id = wait("a", 1, false);
  auto reservation = claims_.reserve(runs(1));
  EXPECT_FALSE(claims_.withdraw(id));
  claims_.deliver(std::move(reservation), {});
  must(claims_.run_once(now()));
  EXPECT_TRUE(answers_.at("a").empty());
  EXPECT_EQ(claims_.waiting(), 0U);
}

// The reply is lost, and with it perhaps the partition: whoever owns it then, the grant is ours.
TEST_F(HandsTest, WhatADecisionGrantedUntoldIsTakenBack) {
  const JobId job = add_job();
  const store::OwnershipStore::Node node{Incarnation({1, 2}), "n", RegionNo(0)};
  must(truth_->renew(node, 1h));
  must(truth_->acquire(node, 256));
  pass(1s);
  const Tick tick(clock_.wall_now());
  const store::Taker taker{.worker = "a"};
  store::PartitionDecision decision{.partition = partition_of(job), .to = tick.instant()};
  for (const auto& mine : must(truth_->renew(node, 1h)).mine) {
    if (mine.partition != decision.partition) continue;
    decision.epoch = mine.epoch;
    decision.version = mine.version;
    decision.from = mine.decided_through;
  }
  const std::uint64_t claim = live_.draw_claim();
  decision.decisions.runs.push_back(
      {.job = job, .tick = tick, .taker = &taker, .queue = &kQueue, .claim = claim});
  ASSERT_EQ(must(truth_->decide(node.incarnation, {&decision, 1})).granted.size(), 1U);
  const core::RunRef run{job, core::run_key_of(tick)};
  live_.doubt_claim(claim, {run});
  live_.disown(decision.partition);
  must(live_.run_once(now()));
  EXPECT_EQ(row_of(run).state, core::RunState::kReady);
  EXPECT_EQ(row_of(run).attempts, 0U);
  live_.own(decision.partition);
  must(live_.run_once(now()));
  wait("b", 1);
  must(claims_.run_once(now()));
  EXPECT_EQ(answers_.at("b").at(0).run, run);
}

}  // namespace
}  // namespace belfry::engine
