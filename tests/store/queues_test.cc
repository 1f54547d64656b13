#include "core/queue.h"
#include "tests/store/suite.h"

// Runs wait where only those who can do them look.
namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;

class QueuesTest : public StoreTest {
 protected:
  QueuesTest() { own_everything(); }

  JobRow add_due(const std::string& name, const std::string& target) {
    JobStore::NewJob wanted = new_job(name, OverlapPolicy::kAllow);
    wanted.definition.target = target;
    const JobRow job = add(wanted);
    decide_runs(job.id, {++second_});
    return job;
  }
  std::vector<std::string> names_in(const std::string& queue) {
    std::vector<std::string> names;
    for (const ClaimedRun& run : claim(10, queue)) names.push_back(run.job_name);
    return names;
  }
  using Names = std::vector<std::string>;

  int second_ = 0;
};

TEST_P(QueuesTest, EachKindIsClaimedByItsOwn) {
  add_due("worker", R"({"kind":"WORKER"})");
  add_due("http", R"({"kind":"HTTP","url":"https://example.com/"})");
  add_due("topic", R"({"kind":"TOPIC","broker":"bus","topic":"t"})");
  add_due("other-topic", R"({"kind":"TOPIC","broker":"other","topic":"t"})");
  add_due("exec", R"({"kind":"EXEC","command":["true"]})");
  EXPECT_EQ(names_in("default"), Names{"worker"});
  EXPECT_EQ(names_in(core::http_queue()), Names{"http"});
  EXPECT_EQ(names_in(core::topic_queue("bus")), Names{"topic"});
  EXPECT_EQ(names_in(core::topic_queue("other")), Names{"other-topic"});
  EXPECT_EQ(names_in(core::exec_queue("other")), Names{});
  EXPECT_EQ(names_in(core::exec_queue("default")), Names{"exec"});
}

TEST_P(QueuesTest, AClaimedRunKeepsItsJobType) {
  add_due("http", R"({"kind":"HTTP","url":"https://example.com/"})");
  EXPECT_EQ(claim(1, core::http_queue()).at(0).job_type, "default");
}

TEST_P(QueuesTest, ANewTargetIsForNewRuns) {
  JobRow job = add_due("job", R"({"kind":"WORKER"})");
  job.definition.target = R"({"kind":"HTTP","url":"https://example.com/"})";
  must(store().change_job({.job = job.id, .definition = job.definition}));
  must(store().trigger({.job = job.id, .key = core::RunKey(-5)}));
  EXPECT_EQ(names_in("default"), Names{"job"});
  EXPECT_EQ(names_in(core::http_queue()), Names{"job"});
  must(store().change_job({.job = job.id, .status = core::JobStatus::kPaused}));
  must(store().trigger({.job = job.id, .key = core::RunKey(-6)}));
  EXPECT_EQ(names_in(core::http_queue()), Names{"job"});
}

TEST_P(QueuesTest, AnEndedRunIsTriedAgainInItsQueue) {
  add_due("http", R"({"kind":"HTTP","url":"https://example.com/"})");
  const ClaimedRun run = claim(1, core::http_queue()).at(0);
  const AttemptEnd end{.grant = {run.run, run.fence},
                       .outcome = core::AttemptOutcome::kFailed,
                       .next = core::RunState::kDead};
  EXPECT_EQ(must(store().end_attempts({&end, 1})), std::vector<bool>{true});
  must(store().retry_run(run.run, core::RunKey(-9)));
  EXPECT_EQ(names_in("default"), Names{});
  EXPECT_EQ(names_in(core::http_queue()), Names{"http"});
}

TEST_P(QueuesTest, WhatIsGivenBackWithAWaitComesAfterIt) {
  const JobRow job = add_due("http", R"({"kind":"HTTP","url":"https://example.com/"})");
  const ClaimedRun run = claim(1, core::http_queue()).at(0);
  const RunGrant grant{run.run, run.fence};
  must(store().return_runs({&grant, 1}, 5s));
  EXPECT_EQ(must(store().runs_of(job.id)).at(0).state, core::RunState::kRetrying);
  EXPECT_TRUE(claim(1, core::http_queue()).empty());
  pass(4s);
  EXPECT_TRUE(claim(1, core::http_queue()).empty());
  pass(1s);
  const auto again = claim(1, core::http_queue());
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].attempt, run.attempt);
  EXPECT_GT(again[0].fence, run.fence);
}

BELFRY_FOR_EACH_STORE(QueuesTest);

}  // namespace
}  // namespace belfry::store
