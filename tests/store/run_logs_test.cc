#include "tests/store/suite.h"

// What workers show of an attempt.
namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using core::RunState;

class RunLogsTest : public StoreTest {
 protected:
  RunLogsTest() {
    own_everything();
    const JobRow job = add(new_job("job", OverlapPolicy::kAllow));
    decide_runs(job.id, {1});
    run_ = claim();
  }
  ClaimedRun claim() {
    const auto runs =
        must(test::claim(store(), {.job_types = {"default"}, .takers = {{.worker = "w"}}}));
    EXPECT_EQ(runs.size(), 1U);
    return runs.at(0);
  }
  void note(const RunNote& note) { EXPECT_TRUE(store().put_notes({&note, 1})); }
  RunLog log(std::optional<AttemptNo> attempt = {}) {
    return must(store().find_log(run_.run, attempt));
  }
  void end(RunState next) {
    const AttemptEnd end{.grant = grant_of(run_),
                         .outcome = core::AttemptOutcome::kFailed,
                         .next = next,
                         .wait = Duration(0)};
    EXPECT_TRUE(must(store().end_attempts({&end, 1})).at(0));
  }

  ClaimedRun run_;
};

TEST_P(RunLogsTest, TheLastWordCountsAndWhatIsAbsentStays) {
  note({.grant = grant_of(run_), .log = "one", .progress = RunProgress{1, 3}});
  note({.grant = grant_of(run_), .log = "one two"});
  EXPECT_EQ(log().log, "one two");
  EXPECT_EQ(log().progress, (RunProgress{1, 3}));
  note({.grant = grant_of(run_), .progress = RunProgress{2, 3}});
  EXPECT_EQ(log().log, "one two");
  EXPECT_EQ(log().progress, (RunProgress{2, 3}));
}

TEST_P(RunLogsTest, OnlyTheHolderOfTheFenceIsHeard) {
  note({.grant = grant_of(run_), .log = "mine"});
  note({.grant = {run_.run, Fence(run_.fence.value() + 1)}, .log = "not mine"});
  EXPECT_EQ(log().log, "mine");
  end(RunState::kDead);
  note({.grant = grant_of(run_), .log = "too late"});
  EXPECT_EQ(log().log, "mine");
}

TEST_P(RunLogsTest, EachAttemptHasItsOwn) {
  note({.grant = grant_of(run_), .log = "first"});
  end(RunState::kRetrying);
  run_ = claim();
  EXPECT_EQ(log().log, "first");
  note({.grant = grant_of(run_), .log = "second"});
  EXPECT_EQ(log().log, "second");
  EXPECT_EQ(log(AttemptNo(1)).log, "first");
  const auto none = store().find_log(run_.run, AttemptNo(3));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Errc::kNotFound);
}

BELFRY_FOR_EACH_STORE(RunLogsTest);

}  // namespace
}  // namespace belfry::store
