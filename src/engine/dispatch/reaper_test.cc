#include "engine/dispatch/reaper.h"

#include "tests/engine/dispatch_fixture.h"

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;

class ReaperTest : public DispatchFixture {};

struct DeathsHeard : Observer {
  void ended(const store::AttemptEnd& end) override {
    EXPECT_EQ(end.reason, core::DeadReason::kNotStarted);
    states.push_back(end.next);
    unstarted.push_back(end.grant.run);
  }

  std::vector<core::RunState> states;
  std::vector<core::RunRef> unstarted;
};

TEST_F(ReaperTest, TellsOfEachRunThatNobodyStartedInTimeOnce) {
  const JobId job = add_job();
  store::JobStore::JobChange change{.job = job, .reschedules = false};
  change.definition = must(truth_->find_job(job)).definition;
  change.definition->policies.start_within = 1min;
  must(truth_->change_job(change));
  DeathsHeard heard;
  Reaper reaper(*truth_, live_, heard, Rng(1));
  EXPECT_EQ(must(reaper.run_once()).given_up, 0U);
  trigger(job, 1);
  const core::RunRef run = must(truth_->runs_of(job)).at(0).run;
  catch_up();
  EXPECT_EQ(must(reaper.run_once()).given_up, 0U);
  EXPECT_TRUE(heard.unstarted.empty());
  pass(1min);
  EXPECT_EQ(must(reaper.run_once()).given_up, 1U);
  catch_up();
  EXPECT_EQ(must(reaper.run_once()).given_up, 0U);
  EXPECT_EQ(heard.unstarted, std::vector{run});
  EXPECT_EQ(heard.states, std::vector{core::RunState::kDead});
}

}  // namespace
}  // namespace belfry::engine
