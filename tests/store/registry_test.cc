#include "core/job_fields.h"
#include "tests/store/suite.h"

#include <algorithm>
#include <tuple>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::JobStatus;
using core::OverlapPolicy;
using Outcome = RegisteredJob::Outcome;

class RegistryTest : public StoreTest {
 protected:
  RegistryTest() { own_everything(); }

  static NewJob wanted(const std::string& name, const std::string& cron = "* * * * *") {
    NewJob job = new_job(name, OverlapPolicy::kAllow);
    job.definition.schedule.cron_expression = cron;
    return job;
  }
  std::vector<RegisteredJob> put(const std::vector<NewJob>& jobs) {
    return must(store().register_jobs({.jobs = jobs, .replace = true}));
  }
  RegisteredJob put(const NewJob& job) { return put(std::vector{job}).at(0); }
  // Change events since the last look, and no others.
  std::vector<Event> news() {
    std::vector<Event> events = must(store().events_after(seen_, 1'000));
    if (!events.empty()) seen_ = events.back().id;
    return events;
  }

  // Whether the registration left the job's ticks alone, though some were due.
  void expect_nothing_settled(const RegisteredJob& job) {
    EXPECT_EQ(job.settled.fates, core::Fates());
    EXPECT_TRUE(must(store().runs_of(job.job.id)).empty());
    EXPECT_TRUE(must(store().skips_of(job.job.id)).empty());
  }

  EventId seen_;
};

TEST_P(RegistryTest, ReplacesByNameOrCreates) {
  const JobRow old = add_job("old");
  pass(1min);
  NewJob other = wanted("old", "0 * * * *");
  const auto done = put({wanted("new"), other});
  EXPECT_EQ(done.at(0).outcome, Outcome::kCreated);
  EXPECT_EQ(done.at(0).job.revision, 1U);
  EXPECT_EQ(done.at(1).outcome, Outcome::kReplaced);
  EXPECT_EQ(done.at(1).job.id, old.id);
  EXPECT_EQ(done.at(1).job.revision, 2U);
  EXPECT_EQ(done.at(1).job.effective_from, now());
  EXPECT_EQ(must(store().find_job(old.id)).definition.schedule.cron_expression, "0 * * * *");
  EXPECT_EQ(must(store().find_job(TenantId(1), "new")).id, done.at(0).job.id);
}

TEST_P(RegistryTest, WhoMayNotExecLeavesCommandsAsTheyAre) {
  const NewJob plain = wanted("a");
  NewJob command = plain;
  command.definition.target = R"({"kind":"EXEC","command":["true"]})";
  NewJob labelled = command;
  labelled.definition.labels = R"({"team":"ops"})";
  labelled.definition.description = "what it is for";
  const auto try_put = [&](const NewJob& job) {
    return store().register_jobs(
        {.jobs = {&job, 1}, .replace = true, .may_exec = false, .author = {.actor = "alice"}});
  };
  EXPECT_EQ(code_of(try_put(command)), Errc::kForbidden);
  must(try_put(plain));
  EXPECT_EQ(code_of(try_put(command)), Errc::kForbidden);
  put(command);
  EXPECT_EQ(code_of(try_put(plain)), Errc::kForbidden);
  EXPECT_EQ(must(try_put(command)).at(0).outcome, Outcome::kUnchanged);
  EXPECT_EQ(must(try_put(labelled)).at(0).outcome, Outcome::kReplaced);
  // What one request may not do is no other's trouble.
  const NewJob others = wanted("b");
  const std::vector<Registration> requests{
      {.jobs = {&plain, 1}, .replace = true, .may_exec = false},
      {.jobs = {&others, 1}, .replace = true, .may_exec = false}};
  const auto answers = must(store().register_all(requests));
  EXPECT_EQ(code_of(answers.at(0)), Errc::kForbidden);
  EXPECT_EQ(must(answers.at(1)).at(0).outcome, Outcome::kCreated);
  EXPECT_EQ(must(store().find_job(TenantId(1), "a")).definition.target, command.definition.target);
}

TEST_P(RegistryTest, WhatIsDefinedLikeThatStaysUntouched) {
  NewJob job = wanted("a");
  job.definition.labels = R"({"team": "x", "at": "y"})";
  job.definition.payload = R"({"b": 1})";
  const JobRow before = put(job).job;
  const JobsVersion version = version_of(partition_of(before.id));
  news();
  pass(1h);
  const RegisteredJob again = put(job);
  EXPECT_EQ(again.outcome, Outcome::kUnchanged);
  EXPECT_EQ(again.job.revision, 1U);
  EXPECT_EQ(again.job.effective_from, before.effective_from);
  EXPECT_EQ(version_of(partition_of(before.id)), version);
  EXPECT_TRUE(news().empty());
  expect_nothing_settled(again);
}

TEST_P(RegistryTest, ANewPayloadDoesNotTouchTheTicks) {
  const JobRow before = put(wanted("a")).job;
  const JobsVersion version = version_of(partition_of(before.id));
  pass(1min);
  NewJob job = wanted("a");
  job.definition.payload = R"({"n":2})";
  const RegisteredJob after = put(job);
  EXPECT_EQ(after.outcome, Outcome::kReplaced);
  EXPECT_EQ(after.job.revision, 2U);
  EXPECT_EQ(after.job.effective_from, before.effective_from);
  EXPECT_EQ(must(store().find_job(before.id)).definition.payload, R"({"n":2})");
  EXPECT_EQ(version_of(partition_of(before.id)), version);
  expect_nothing_settled(after);
}

TEST_P(RegistryTest, TheOwnerLearnsOfAnotherMisfirePolicy) {
  const JobRow before = put(wanted("a")).job;
  const JobsVersion version = version_of(partition_of(before.id));
  NewJob job = wanted("a");
  job.definition.policies.misfire = core::MisfirePolicy::kSkip;
  EXPECT_EQ(put(job).outcome, Outcome::kReplaced);
  EXPECT_GT(version_of(partition_of(before.id)), version);
}

TEST_P(RegistryTest, DueTicksOfTheOldDefinitionAreSettled) {
  const JobRow job = put(wanted("a")).job;
  put(wanted("other"));
  pass(90s);
  const auto done = put({wanted("a", "0 0 * * *"), wanted("b"), wanted("other")});
  EXPECT_EQ(done.at(0).settled.fates.runs,
            (std::vector{core::RunTick{.tick = tick(60), .stands_in = true}}));
  EXPECT_EQ(done.at(0).settled.at, now());
  expect_nothing_settled(done.at(1));
  expect_nothing_settled(done.at(2));
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].run, ref(job.id, 60));
  EXPECT_EQ(runs[0].revision, 1U);
  EXPECT_EQ(runs[0].node, node(1).incarnation);
}

TEST_P(RegistryTest, APausedJobStaysPausedACancelledOneLivesAgain) {
  const JobRow paused = put(wanted("paused")).job;
  const JobRow cancelled = put(wanted("cancelled")).job;
  must(store().change_job({.job = paused.id,
                           .status = JobStatus::kPaused,
                           .paused_until = now() + 1h,
                           .pause_note = "repairs",
                           .author = {"ann", "r1"}}));
  must(store().change_job({.job = cancelled.id, .status = JobStatus::kCancelled}));
  const auto done = put({wanted("paused", "0 * * * *"), wanted("cancelled")});
  EXPECT_EQ(done.at(0).job.status, JobStatus::kPaused);
  EXPECT_EQ(done.at(0).job.paused_by, "ann");
  EXPECT_EQ(done.at(0).job.pause_note, "repairs");
  EXPECT_EQ(done.at(0).job.paused_until, now() + 1h);
  EXPECT_EQ(done.at(1).outcome, Outcome::kReplaced);
  EXPECT_EQ(done.at(1).job.status, JobStatus::kActive);
  EXPECT_EQ(done.at(1).job.revision, 3U);
}

TEST_P(RegistryTest, AQuotaHoldsForEachRequestInTurn) {
  const TenantId few = must(store().put_tenant({.name = "few", .max_jobs = 3}));
  const auto theirs = [&](const std::string& name) {
    return new_job(name, OverlapPolicy::kAllow, few);
  };
  const JobRow old = add(theirs("old"));
  const std::vector many{theirs("a"), theirs("b"), theirs("c")};
  const std::vector two{theirs("old"), theirs("d")};
  const NewJob e = theirs("e");
  const NewJob f = theirs("f");
  const NewJob other = wanted("other");
  const std::vector<Registration> requests{{.jobs = many},
                                           {.jobs = two, .replace = true},
                                           {.jobs = {&e, 1}},
                                           {.jobs = {&f, 1}},
                                           {.jobs = {&other, 1}}};
  const auto answers = must(store().register_all(requests));
  EXPECT_EQ(code_of(answers[0]), Errc::kQuotaExceeded);
  EXPECT_TRUE(answers[1].has_value());
  EXPECT_TRUE(answers[2].has_value());
  EXPECT_EQ(code_of(answers[3]), Errc::kQuotaExceeded);
  EXPECT_TRUE(answers[4].has_value());
  must(store().change_job({.job = old.id, .status = JobStatus::kDeleted}));
  EXPECT_TRUE(must(store().register_jobs({.jobs = {&f, 1}})).size() == 1);
}

TEST_P(RegistryTest, WhoPausedAndWhyIsKeptUntilItResumes) {
  const JobRow job = put(wanted("a")).job;
  const JobRow paused = must(store().change_job({.job = job.id,
                                                 .status = JobStatus::kPaused,
                                                 .pause_note = "repairs",
                                                 .author = {"ann", "r1"}}))
                            .job;
  EXPECT_EQ(paused.paused_by, "ann");
  EXPECT_EQ(must(store().find_job(job.id)).pause_note, "repairs");
  EXPECT_EQ(must(store().find_job(job.id)).paused_by, "ann");
  const JobRow resumed =
      must(store().change_job(
               {.job = job.id, .status = JobStatus::kActive, .author = {"bob", "r2"}}))
          .job;
  EXPECT_EQ(resumed.paused_by, "");
  EXPECT_EQ(must(store().find_job(job.id)).pause_note, "");
}

TEST_P(RegistryTest, NewJobsCanStartPaused) {
  put(wanted("old"));
  const std::vector jobs{wanted("new"), wanted("old")};
  const auto done = must(store().register_jobs(
      {.jobs = jobs, .replace = true, .paused = true, .author = {"ann", "r1"}}));
  EXPECT_EQ(must(store().find_job(done.at(0).job.id)).status, JobStatus::kPaused);
  EXPECT_EQ(must(store().find_job(done.at(0).job.id)).paused_by, "ann");
  EXPECT_EQ(done.at(1).job.status, JobStatus::kActive);
}

TEST_P(RegistryTest, ARequestIsAllOrNothing) {
  put(wanted("b"));
  news();
  const std::vector jobs{wanted("a"), wanted("b"), wanted("c")};
  const auto refused = store().register_jobs({.jobs = jobs});
  ASSERT_EQ(code_of(refused), Errc::kConflict);
  EXPECT_EQ(refused.error().field, "b");
  EXPECT_EQ(code_of(store().find_job(TenantId(1), "a")), Errc::kNotFound);
  EXPECT_TRUE(news().empty());
}

TEST_P(RegistryTest, ANameTwiceInARequestIsRefused) {
  const std::vector jobs{wanted("a"), wanted("a", "0 * * * *")};
  for (const bool replace : {false, true}) {
    EXPECT_EQ(code_of(store().register_jobs({.jobs = jobs, .replace = replace})), Errc::kConflict);
  }
}

TEST_P(RegistryTest, StrangersShareATransactionButNoFate) {
  put(wanted("taken"));
  const NewJob a = wanted("a");
  const std::vector some{wanted("b"), wanted("taken")};
  const NewJob taken = wanted("taken");
  const NewJob again = wanted("a");
  NewJob nobodys = wanted("n");
  nobodys.tenant = TenantId(77);
  NewJob nowhere = wanted("w");
  nowhere.region = RegionNo(9);
  const NewJob last = wanted("last");
  const std::vector<Registration> requests{{.jobs = {&a, 1}},       {.jobs = some},
                                           {.jobs = {&taken, 1}},   {.jobs = {&again, 1}},
                                           {.jobs = {&nobodys, 1}}, {.jobs = {&nowhere, 1}},
                                           {.jobs = {&last, 1}}};
  const auto answers = must(store().register_all(requests));
  ASSERT_EQ(answers.size(), 7U);
  EXPECT_TRUE(answers[0].has_value());
  EXPECT_EQ(code_of(answers[1]), Errc::kConflict);
  EXPECT_EQ(code_of(answers[2]), Errc::kConflict);
  EXPECT_EQ(code_of(answers[3]), Errc::kConflict);
  EXPECT_EQ(code_of(answers[4]), Errc::kNotFound);
  EXPECT_EQ(code_of(answers[5]), Errc::kNotFound);
  EXPECT_TRUE(answers[6].has_value());
  EXPECT_EQ(code_of(store().find_job(TenantId(1), "b")), Errc::kNotFound);
  EXPECT_EQ(must(store().find_job(TenantId(1), "last")).id, answers[6]->at(0).job.id);
}

// Right after another one a registration may take a shorter way. Whom that does not let in is to be
// refused in the same words, and nothing must be left.
TEST_P(RegistryTest, RightAfterAnotherTheSameAreRefused) {
  const TenantId few = must(store().put_tenant({.name = "few", .max_jobs = 2}));
  const auto add_all = [&](const std::vector<NewJob>& jobs) {
    return store().register_jobs({.jobs = jobs});
  };
  const auto theirs = [&](const std::string& name) {
    return new_job(name, OverlapPolicy::kAllow, few);
  };
  must(add_all({wanted("first")}));
  const JobRow second = must(add_all({wanted("second")})).at(0).job;
  must(add_all({theirs("one")}));
  news();
  NewJob nobodys = wanted("n");
  nobodys.tenant = TenantId(77);
  NewJob nowhere = wanted("w");
  nowhere.region = RegionNo(9);
  EXPECT_EQ(code_of(add_all({wanted("a"), wanted("first")})), Errc::kConflict);
  EXPECT_EQ(code_of(add_all({wanted("b"), nobodys})), Errc::kNotFound);
  EXPECT_EQ(code_of(add_all({wanted("c"), nowhere})), Errc::kNotFound);
  EXPECT_EQ(code_of(add_all({theirs("two"), theirs("three")})), Errc::kQuotaExceeded);
  EXPECT_TRUE(news().empty());
  for (const std::string name : {"a", "b", "c"}) {
    EXPECT_EQ(code_of(store().find_job(TenantId(1), name)), Errc::kNotFound);
  }
  must(add_all({theirs("two")}));
  EXPECT_EQ(code_of(add_all({theirs("three")})), Errc::kQuotaExceeded);
  must(store().change_job({.job = second.id, .status = JobStatus::kDeleted}));
  EXPECT_EQ(must(add_all({wanted("second")})).at(0).outcome, Outcome::kCreated);
}

TEST_P(RegistryTest, LaterRequestsOfACallSeeTheEarlierOnes) {
  const NewJob first = wanted("a");
  const NewJob second = wanted("a", "0 * * * *");
  const std::vector<Registration> requests{{.jobs = {&first, 1}, .replace = true},
                                           {.jobs = {&second, 1}, .replace = true},
                                           {.jobs = {&second, 1}, .replace = true}};
  const auto answers = must(store().register_all(requests));
  EXPECT_EQ(answers[0]->at(0).outcome, Outcome::kCreated);
  EXPECT_EQ(answers[1]->at(0).outcome, Outcome::kReplaced);
  EXPECT_EQ(answers[2]->at(0).outcome, Outcome::kUnchanged);
  EXPECT_EQ(must(store().find_job(TenantId(1), "a")).revision, 2U);
}

TEST_P(RegistryTest, RegisteredJobsAreAnnouncedToTheirOwners) {
  const JobRow old = put(wanted("old")).job;
  const PartitionNo partition = partition_of(old.id);
  const JobsVersion version = version_of(partition);
  const auto done = put({wanted("old", "0 * * * *"), wanted("new")});
  const auto changes = must(changes_since(store(), partition, version));
  EXPECT_TRUE(std::ranges::count(changes.jobs, old.id, &JobRow::id) == 1);
  const auto all = must(store().load_partition(partition_of(done.at(1).job.id)));
  EXPECT_TRUE(std::ranges::count(all.jobs, done.at(1).job.id, &JobRow::id) == 1);
}

TEST_P(RegistryTest, AJobOfAPartitionThatIsAheadStartsThere) {
  const JobRow ahead = put(wanted("a")).job;
  pass(1h);
  decide(decision(ahead.id, now()));
  clock().set_wall(now() - 30min);
  for (int i = 0; i < 2'000; ++i) {
    const JobRow job = put(wanted("b" + std::to_string(i))).job;
    if (partition_of(job.id) != partition_of(ahead.id)) continue;
    EXPECT_EQ(job.effective_from, now() + 30min);
    EXPECT_EQ(must(store().find_job(job.id)).effective_from, now() + 30min);
    return;
  }
  FAIL() << "no job fell into the partition";
}

// However a store writes many at once, each must look like one that came alone.
TEST_P(RegistryTest, OneOfManyIsWrittenLikeOneAlone) {
  must(store().put_calendar(TenantId(1), "closed", {"SAT"}, {}));
  const auto rich = [](const std::string& name) {
    NewJob job = wanted(name, "0 9 * * *");
    core::JobDefinition& definition = job.definition;
    definition.schedule.timezone = "Europe/Berlin";
    definition.schedule.calendar_name = "closed";
    definition.schedule.start_at = kStart + 1us;
    definition.schedule.jitter = 3s;
    definition.policies.overlap = OverlapPolicy::kQueueOne;
    definition.policies.max_attempts = 7;
    definition.policies.priority = -2;
    definition.job_type = "report";
    definition.target = R"({"kind":"EXEC","command":["say","\u00fc \"x\""]})";
    definition.payload = R"({"b": [1, null]})";
    definition.labels = R"({"at": "ü", "team": "x"})";
    definition.description = "says \"ü\"\n";
    return job;
  };
  std::vector<NewJob> many;
  for (int i = 0; i < 300; ++i) many.push_back(rich("many-" + std::to_string(i)));
  const std::vector<NewJob> alone{rich("alone")};
  const Author author{"alice", "r \"1\""};
  must(store().register_jobs({.jobs = alone, .paused = true, .author = author}));
  must(store().register_jobs({.jobs = many, .paused = true, .author = author}));
  const JobRow one = must(store().find_job(TenantId(1), "alone"));
  const JobRow of_many = must(store().find_job(TenantId(1), "many-123"));
  EXPECT_EQ(core::differing_fields(one.definition, of_many.definition),
            std::vector<std::string>{"job_name"});
  EXPECT_EQ(one.definition.target, of_many.definition.target);
  EXPECT_EQ(one.definition.schedule.calendar_rules, of_many.definition.schedule.calendar_rules);
  EXPECT_EQ(one.calendar_revision, of_many.calendar_revision);
  EXPECT_EQ(std::tie(one.status, one.paused_by, one.revision, one.effective_from, one.created_at),
            std::tie(of_many.status, of_many.paused_by, of_many.revision, of_many.effective_from,
                     of_many.created_at));
  const RevisionRow first = must(store().revisions_of(one.id, {}, 1)).at(0);
  const RevisionRow second = must(store().revisions_of(of_many.id, {}, 1)).at(0);
  EXPECT_EQ(first.schedule.start_at, second.schedule.start_at);
  EXPECT_EQ(first.schedule.run_at, second.schedule.run_at);
  EXPECT_EQ(first.schedule.jitter, second.schedule.jitter);
  EXPECT_EQ(first.schedule.calendar_rules, second.schedule.calendar_rules);
  EXPECT_EQ(first.policies, second.policies);
  EXPECT_EQ(first.labels, second.labels);
  EXPECT_EQ(first.description, second.description);
  EXPECT_EQ(first.status, second.status);
  const auto labelled = [&](const std::string& label) {
    const JobFilter filter{.tenant = TenantId(1), .labels = {label}};
    return must(store().list_jobs(filter, "", 500)).jobs.size();
  };
  EXPECT_EQ(labelled("team=x"), 301U);
  EXPECT_EQ(labelled("at=ü"), 301U);
  std::string told = must(store().list_audit(TenantId(1), {}, 1)).at(0).detail;
  std::string told_alone;
  for (const auto& row : must(store().list_audit(TenantId(1), {}, 1'000))) {
    if (row.detail.find("alone") != std::string::npos) told_alone = row.detail;
  }
  const auto name = told.find("many-");
  ASSERT_NE(name, std::string::npos);
  told.replace(name, told.find('"', name) - name, "alone");
  EXPECT_EQ(told, told_alone);
}

TEST_P(RegistryTest, NothingAskedForIsNothingDone) {
  EXPECT_TRUE(must(store().register_jobs({})).empty());
  EXPECT_TRUE(must(store().register_all({})).empty());
  const std::vector<NewJob> many(10'001, wanted("x"));
  EXPECT_EQ(code_of(store().register_jobs({.jobs = many})), Errc::kInvalid);
}

BELFRY_FOR_EACH_STORE(RegistryTest);

}  // namespace
}  // namespace belfry::store
