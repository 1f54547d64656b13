// What a proof reads of the ledger, and what it finds in one that is wrong.
#include "engine/proof/prove.h"
#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using core::SkipReason;

class LedgerProofTest : public StoreTest {
 protected:
  LedgerProofTest() { own_everything(); }

  JobRow add_every_second(const std::string& name) {
    JobStore::NewJob job = new_job(name, OverlapPolicy::kAllow);
    job.definition.schedule = {.cron_expression = "* * * * * *"};
    return add(job);
  }
  // Decides the partition up to this second, with these fates.
  void decide_through(JobId job, int second, const Decisions& decisions) {
    if (now() < kStart + std::chrono::seconds(second)) {
      pass(kStart + std::chrono::seconds(second) - now());
    }
    PartitionDecision decided = decision(job, kStart + std::chrono::seconds(second));
    decided.decisions = decisions;
    ASSERT_EQ(decide(decided).partitions.at(0).outcome, DecideOutcome::kDecided);
  }
  Decisions runs(JobId job, int first, int last) {
    Decisions decisions;
    for (int i = first; i <= last; ++i) decisions.runs.push_back({.job = job, .tick = tick(i)});
    return decisions;
  }

  // All steps of a proof, of small size.
  engine::ProofStep prove(const engine::ProofScope& scope = {.tenant = TenantId(1)}) {
    engine::Prover prover(store(), zones_, {.jobs = 2, .rows = 3, .page = 2});
    engine::ProofStep all;
    engine::ProofPlace place;
    for (int i = 0; i < 1'000; ++i) {
      const auto step = must(prover.step(scope, place));
      all.jobs += step.jobs;
      all.counts += step.counts;
      all.flaws.insert(all.flaws.end(), step.flaws.begin(), step.flaws.end());
      if (step.undecided) all.undecided = step.undecided;
      if (!step.next) return all;
      place = *step.next;
    }
    ADD_FAILURE() << "a proof without an end";
    return all;
  }
  static std::string found(const engine::ProofStep& step) {
    std::string text;
    for (const engine::JobFlaw& each : step.flaws) {
      text += (text.empty() ? "" : ", ") + each.name + " " +
              std::string(core::name_of(each.flaw.kind)) + " " +
              std::to_string((each.flaw.first.instant() - kStart) / 1s) + "x" +
              std::to_string(each.flaw.count);
    }
    return text;
  }

  core::ZoneCatalog zones_;
};

TEST_P(LedgerProofTest, ReadsEveryRowOnce) {
  const JobRow job = add_every_second("a");
  Decisions decisions = runs(job.id, 1, 2);
  decisions.skips.push_back({job.id, tick(3), tick(5), 3, SkipReason::kMisfireExpired});
  decide_through(job.id, 5, decisions);
  ASSERT_TRUE(end(success(grant_of(claim(1).at(0)))));  // one is history, one is live
  must(store().trigger({.job = job.id, .key = core::RunKey(-7)}));
  EXPECT_EQ(found(prove()), "");
  EXPECT_EQ(prove().counts.ticks(), 5);
  EXPECT_EQ(prove().counts.runs, 2) << "what somebody asked for is no tick";
  EXPECT_EQ(prove({.tenant = TenantId(1), .after = tick(3).instant()}).counts.ticks(), 2)
      << "of a skip that reaches in";
}

TEST_P(LedgerProofTest, EachRevisionCountsForItsTime) {
  const JobRow job = add_every_second("a");
  for (int i = 1; i <= 3; ++i) {
    pass(10s);
    core::JobDefinition next = job.definition;
    next.schedule.cron_expression = std::to_string(i) + " * * * * *";
    must(store().change_job({.job = job.id, .definition = next}));
  }
  EXPECT_EQ(found(prove()), "") << "each change settled what was due";
  EXPECT_EQ(found(prove({.tenant = TenantId(1), .after = kStart + 15s})), "");
}

TEST_P(LedgerProofTest, ATickThatNobodyDecidedIsAHole) {
  const JobRow job = add_every_second("a");
  Decisions decisions = runs(job.id, 1, 4);
  decisions.runs.push_back({.job = job.id, .tick = tick(8)});
  decide_through(job.id, 10, decisions);
  EXPECT_EQ(found(prove()), "a hole 5x3, a hole 9x2");
  EXPECT_EQ(found(prove({.tenant = TenantId(1), .job = job.id, .after = tick(8).instant()})),
            "a hole 9x2");
  EXPECT_EQ(found(prove({.tenant = TenantId(1), .job = job.id, .through = tick(4).instant()})), "");
}

TEST_P(LedgerProofTest, ATickWithTwoFatesIsADouble) {
  const JobRow job = add_every_second("a");
  Decisions decisions = runs(job.id, 1, 4);
  decisions.skips.push_back({job.id, tick(3), tick(3), 1, SkipReason::kMisfireExpired});
  decide_through(job.id, 4, decisions);
  EXPECT_EQ(found(prove()), "a double 3x1");
}

TEST_P(LedgerProofTest, WhatIsNotDecidedYetIsNoHole) {
  const JobRow job = add_every_second("a");
  decide_through(job.id, 4, runs(job.id, 1, 4));
  pass(10s);
  const engine::ProofStep step = prove();
  EXPECT_EQ(found(step), "");
  EXPECT_EQ(step.undecided, tick(5));
  EXPECT_EQ(step.counts.ticks(), 4);
}

TEST_P(LedgerProofTest, TenantsDeletedJobsAndThoseThatCameAfter) {
  const TenantId other = must(store().put_tenant({.name = "other"}, {}));
  const JobRow ours = add_every_second("ours");
  JobStore::NewJob wanted = new_job("theirs", OverlapPolicy::kAllow, other);
  wanted.definition.schedule = {.cron_expression = "* * * * * *"};
  const JobRow theirs = add(wanted);
  decide_through(ours.id, 3, runs(ours.id, 1, 2));
  decide_through(theirs.id, 3, runs(theirs.id, 1, 1));
  must(store().change_job({.job = ours.id, .status = core::JobStatus::kDeleted}));
  for (const char* name : {"ours", "p", "q", "r"}) add_every_second(name);
  EXPECT_EQ(found(prove()), "");
  EXPECT_EQ(prove().jobs, 4U);
  EXPECT_EQ(found(prove({.tenant = TenantId(1), .job = ours.id})), "ours hole 3x1")
      << "a deleted one by its id";
  EXPECT_EQ(found(prove({.tenant = other})), "theirs hole 2x2");
  engine::Prover prover(store(), zones_);
  EXPECT_EQ(code_of(prover.step({.tenant = other, .job = ours.id}, {})), Errc::kNotFound);
  EXPECT_EQ(code_of(prover.step({.tenant = other}, {.job = ours.id})), Errc::kNotFound);
}

TEST_P(LedgerProofTest, AnInstantThatWasOverBeforeItsJobIsLookedForWhereItLies) {
  JobStore::NewJob wanted = new_job("late", OverlapPolicy::kAllow);
  wanted.definition.schedule = {.type = core::ScheduleSpec::Type::kOnce, .run_at = kStart - 20s};
  const JobRow job = add(wanted);
  pass(5s);
  EXPECT_EQ(found(prove({.tenant = TenantId(1), .job = job.id, .after = kStart - 1s})), "");
  EXPECT_EQ(prove({.tenant = TenantId(1), .job = job.id, .after = kStart - 1s}).counts.ticks(), 1);
}

BELFRY_FOR_EACH_STORE(LedgerProofTest);

}  // namespace
}  // namespace belfry::store
