#include "tests/store/suite.h"

#include <algorithm>
#include <map>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::JobStatus;
using core::OverlapPolicy;

// Every field differs from its default.
core::JobDefinition peculiar_definition() {
  core::JobDefinition definition{.name = "Zürich 'n \"co\"", .job_type = "mail"};
  definition.schedule = {.type = core::ScheduleSpec::Type::kEvery,
                         .cron_expression = "0 12 * * MON",
                         .timezone = "Europe/Zurich",
                         .every = 90s,
                         .run_at = kStart + 1h,
                         .start_at = kStart + 2h,
                         .end_at = kStart + 3h,
                         .jitter = 10s,
                         .calendar_name = "holidays"};
  definition.policies = {.overlap = OverlapPolicy::kQueueOne,
                         .max_concurrent = 4,
                         .misfire = core::MisfirePolicy::kFireAll,
                         .misfire_grace = 2h,
                         .max_missed_firings = 17,
                         .max_attempts = 5,
                         .retry_base = 6s,
                         .retry_cap = 7min,
                         .timeout = 8min,
                         .priority = -3,
                         .run_in = core::RunIn::kAny};
  definition.target = R"({"kind": "WORKER"})";
  definition.payload = R"({"a": [1, 2]})";
  definition.labels = R"({"team": "x"})";
  definition.description = "line one\nline two";
  return definition;
}

// JSON may come back with other blanks.
std::string squeezed(std::string json) {
  std::erase(json, ' ');
  return json;
}

void expect_same(const JobRow& a, const JobRow& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.tenant, b.tenant);
  EXPECT_EQ(a.revision, b.revision);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.effective_from, b.effective_from);
  EXPECT_EQ(a.paused_until, b.paused_until);
  EXPECT_EQ(a.definition.name, b.definition.name);
  EXPECT_EQ(a.definition.job_type, b.definition.job_type);
  EXPECT_EQ(a.definition.policies, b.definition.policies);
  EXPECT_EQ(squeezed(a.definition.target), squeezed(b.definition.target));
  EXPECT_EQ(squeezed(a.definition.payload), squeezed(b.definition.payload));
  EXPECT_EQ(squeezed(a.definition.labels), squeezed(b.definition.labels));
  EXPECT_EQ(a.definition.description, b.definition.description);
  const core::ScheduleSpec& s = a.definition.schedule;
  const core::ScheduleSpec& t = b.definition.schedule;
  EXPECT_EQ(s.type, t.type);
  EXPECT_EQ(s.cron_expression, t.cron_expression);
  EXPECT_EQ(s.dialect, t.dialect);
  EXPECT_EQ(s.timezone, t.timezone);
  EXPECT_EQ(s.dst_gap, t.dst_gap);
  EXPECT_EQ(s.dst_overlap, t.dst_overlap);
  EXPECT_EQ(s.every, t.every);
  EXPECT_EQ(s.run_at, t.run_at);
  EXPECT_EQ(s.start_at, t.start_at);
  EXPECT_EQ(s.end_at, t.end_at);
  EXPECT_EQ(s.jitter, t.jitter);
  EXPECT_EQ(s.calendar_name, t.calendar_name);
}

// Owners do not get what jobs carry.
JobRow as_owners_see(JobRow job) {
  for (std::string* text : {&job.definition.target, &job.definition.payload, &job.definition.labels,
                            &job.definition.description}) {
    text->clear();
  }
  return job;
}

class JobsTest : public StoreTest {
 protected:
  JobsTest() { own_everything(); }

  Result<JobRow> change(const Change& wanted) {
    BELFRY_TRY(changed, store().change_job(wanted));
    return std::move(changed.job);
  }
};

TEST_P(JobsTest, AJobComesBackAsItWasGiven) {
  const JobStore::NewJob wanted{TenantId(1), RegionNo(0), peculiar_definition()};
  must(store().put_calendar(TenantId(1), "holidays", {"2026-12-25"}, {}));
  pass(1s);
  const JobRow made = add(wanted);
  EXPECT_EQ(made.revision, 1U);
  EXPECT_EQ(made.status, JobStatus::kActive);
  EXPECT_EQ(made.effective_from, now());
  expect_same(made, {made.id, TenantId(1), 1, JobStatus::kActive, now(), {}, wanted.definition});
  expect_same(made, must(store().find_job(made.id)));
  expect_same(made, must(store().find_job(TenantId(1), wanted.definition.name)));
  const PartitionJobs loaded = must(store().load_partition(partition_of(made.id)));
  expect_same(as_owners_see(made), loaded.jobs.at(0));
}

// In brief if they share their terms, else whole; and what is in brief can be asked for.
TEST_P(JobsTest, APartitionCanBeReadInBrief) {
  std::vector<JobStore::NewJob> wanted;
  for (int i = 0; i < 300; ++i) {
    wanted.push_back(new_job("j" + std::to_string(i), OverlapPolicy::kForbid));
    if (i % 3 == 1) wanted.back().definition.schedule.jitter = 1min;
  }
  pass(1s);
  const auto made = must(store().create_jobs(wanted));
  must(store().change_job({.job = made[0].id, .status = JobStatus::kPaused}));
  must(store().change_job({.job = made[3].id, .status = JobStatus::kDeleted}));
  must(store().change_job({.job = made[6].id, .status = JobStatus::kPaused}));
  must(store().change_job({.job = made[6].id, .status = JobStatus::kActive}));
  core::JobDefinition other = made[9].definition;
  other.schedule.cron_expression = "17 * * * *";
  must(store().change_job({.job = made[9].id, .definition = other}));
  std::map<JobId, BriefJob> brief;
  std::map<JobId, JobRow> whole;
  for (std::uint16_t p = 0; p < 256; ++p) {
    const BriefPartition loaded = must(store().load_brief(PartitionNo(p)));
    EXPECT_EQ(loaded.version, version_of(PartitionNo(p)));
    EXPECT_EQ(loaded.decided_through, kStart);
    EXPECT_EQ(loaded.era, Era(0));
    for (const BriefJob& job : loaded.brief) brief.emplace(job.id, job);
    for (const JobRow& job : loaded.whole) whole.emplace(job.id, job);
  }
  EXPECT_EQ(brief.size(), 198U);
  EXPECT_EQ(whole.size(), 101U);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const bool is_whole = i % 3 == 1 || i == 0;
    EXPECT_EQ(whole.contains(made[i].id), is_whole) << i;
    EXPECT_EQ(brief.contains(made[i].id), !is_whole && i != 3) << i;
    if (!brief.contains(made[i].id)) continue;
    const auto row = must(store().load_jobs({&made[i].id, 1}));
    ASSERT_EQ(row.size(), 1U);
    EXPECT_EQ(core::terms_of(row[0].definition), brief.at(made[i].id).terms);
    EXPECT_EQ(row[0].effective_from, brief.at(made[i].id).effective_from);
  }
  EXPECT_EQ(whole.at(made[0].id).status, JobStatus::kPaused);
  EXPECT_NE(brief.at(made[9].id).terms, brief.at(made[6].id).terms);
  const std::vector<JobId> unknown{JobId(77), made[3].id};
  ASSERT_EQ(must(store().load_jobs(unknown)).size(), 1U);  // deleted, but known
}

TEST_P(JobsTest, ManyJobsComeBackInTheOrderAsked) {
  std::vector<JobStore::NewJob> wanted;
  for (int i = 0; i < 600; ++i) {
    wanted.push_back(new_job("j" + std::to_string(i), OverlapPolicy::kForbid));
  }
  const auto made = must(store().create_jobs(wanted));
  ASSERT_EQ(made.size(), 600U);
  std::size_t loaded = 0;
  for (std::uint16_t p = 0; p < 256; ++p) {
    const PartitionJobs jobs = must(store().load_partition(PartitionNo(p)));
    loaded += jobs.jobs.size();
    // However many jobs there are, one registration is one version.
    EXPECT_EQ(jobs.version, JobsVersion(jobs.jobs.empty() ? 0 : 1)) << p;
    EXPECT_EQ(must(changes_since(store(), PartitionNo(p), JobsVersion(0))).jobs.size(),
              jobs.jobs.size());
  }
  EXPECT_EQ(loaded, 600U);
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(made[i].definition.name, wanted[i].definition.name);
    EXPECT_EQ(must(store().find_job(made[i].id)).definition.name, wanted[i].definition.name);
  }
}

TEST_P(JobsTest, ATakenNameRefusesTheWholeRegistration) {
  const JobRow job = add_job("taken");
  const JobsVersion version = version_of(partition_of(job.id));
  const std::vector<JobStore::NewJob> wanted = {new_job("x", OverlapPolicy::kAllow),
                                                new_job("taken", OverlapPolicy::kAllow)};
  const auto refused = store().create_jobs(wanted);
  ASSERT_EQ(code_of(refused), Errc::kConflict);
  EXPECT_EQ(refused.error().field, "taken");
  EXPECT_EQ(code_of(store().find_job(TenantId(1), "x")), Errc::kNotFound);
  EXPECT_EQ(version_of(partition_of(job.id)), version);
  const std::vector<JobStore::NewJob> twice = {new_job("y", OverlapPolicy::kAllow),
                                               new_job("y", OverlapPolicy::kAllow)};
  EXPECT_EQ(code_of(store().create_jobs(twice)), Errc::kConflict);
  EXPECT_EQ(code_of(store().find_job(TenantId(1), "y")), Errc::kNotFound);
}

TEST_P(JobsTest, NamesAreATenantsOwn) {
  const TenantId other = must(store().put_tenant({.name = "other"}));
  const JobRow mine = add_job("same");
  const JobRow theirs = add(new_job("same", OverlapPolicy::kAllow, other));
  EXPECT_EQ(must(store().find_job(TenantId(1), "same")).id, mine.id);
  EXPECT_EQ(must(store().find_job(other, "same")).id, theirs.id);
}

TEST_P(JobsTest, AnUnknownTenantIsNotFound) {
  const JobStore::NewJob job = new_job("a", OverlapPolicy::kAllow, TenantId(77));
  EXPECT_EQ(code_of(store().create_jobs({&job, 1})), Errc::kNotFound);
}

TEST_P(JobsTest, NoJobTakesEffectBeforeWhatIsDecided) {
  const JobRow first = add_job("a");
  pass(100s);
  decide(decision(first.id, now()));
  const Instant decided = now();
  clock().set_wall(kStart + 50s);  // the database's clock was set back
  std::vector<JobStore::NewJob> wanted;
  for (int i = 0; i < 600; ++i) {
    wanted.push_back(new_job("j" + std::to_string(i), OverlapPolicy::kAllow));
  }
  std::size_t corrected = 0;
  for (const JobRow& job : must(store().create_jobs(wanted))) {
    const bool same = partition_of(job.id) == partition_of(first.id);
    EXPECT_EQ(job.effective_from, same ? decided : now());
    EXPECT_EQ(must(store().find_job(job.id)).effective_from, job.effective_from);
    corrected += same ? 1 : 0;
  }
  EXPECT_GT(corrected, 0U);
  EXPECT_EQ(must(change({.job = first.id, .status = JobStatus::kPaused})).effective_from, decided);
}

TEST_P(JobsTest, AChangeIsANewRevision) {
  const JobRow job = add_job("a");
  const JobsVersion version = version_of(partition_of(job.id));
  must(store().put_calendar(TenantId(1), "holidays", {"2026-12-25"}, {}));
  pass(10s);
  core::JobDefinition definition = peculiar_definition();
  const JobRow changed = must(change({.job = job.id, .if_revision = 1, .definition = definition}));
  EXPECT_EQ(changed.revision, 2U);
  EXPECT_EQ(changed.effective_from, now());
  expect_same(changed, {job.id, TenantId(1), 2, JobStatus::kActive, now(), {}, definition});
  expect_same(changed, must(store().find_job(job.id)));
  EXPECT_EQ(version_of(partition_of(job.id)), JobsVersion(version.value() + 1));
  const PartitionJobs changes = must(changes_since(store(), partition_of(job.id), version));
  ASSERT_EQ(changes.jobs.size(), 1U);
  expect_same(as_owners_see(changed), changes.jobs[0]);
  EXPECT_EQ(changes.version, JobsVersion(version.value() + 1));
  EXPECT_EQ(changes.decided_through, kStart);
}

TEST_P(JobsTest, AnotherRevisionIsAConflict) {
  const JobRow job = add_job("a");
  const Change wanted{.job = job.id, .if_revision = 1, .status = JobStatus::kPaused};
  must(change(wanted));
  EXPECT_EQ(code_of(change(wanted)), Errc::kConflict);  // also after a lost reply
  EXPECT_EQ(must(store().find_job(job.id)).revision, 2U);
}

TEST_P(JobsTest, WhatIsMissingOrDeletedCannotBeChanged) {
  const JobRow job = add_job("a");
  EXPECT_EQ(code_of(change({.job = JobId(999 << 16)})), Errc::kNotFound);
  EXPECT_EQ(code_of(store().find_job(JobId(999 << 16))), Errc::kNotFound);
  must(change({.job = job.id, .status = JobStatus::kDeleted}));
  EXPECT_EQ(code_of(change({.job = job.id, .status = JobStatus::kActive})), Errc::kNotFound);
  EXPECT_EQ(code_of(store().find_job(TenantId(1), "a")), Errc::kNotFound);
  EXPECT_NE(add_job("a").id, job.id);  // the name is free again
}

TEST_P(JobsTest, PausingAndResumingAreRevisions) {
  const JobRow job = add_job("a");
  const JobRow paused =
      must(change({.job = job.id, .status = JobStatus::kPaused, .paused_until = kStart + 1h}));
  EXPECT_EQ(paused.revision, 2U);
  EXPECT_EQ(paused.status, JobStatus::kPaused);
  EXPECT_EQ(must(store().find_job(job.id)).paused_until, kStart + 1h);
  pass(10s);
  const JobRow resumed = must(change({.job = job.id, .status = JobStatus::kActive}));
  EXPECT_EQ(resumed.revision, 3U);
  EXPECT_EQ(resumed.effective_from, now());
  EXPECT_FALSE(must(store().find_job(job.id)).paused_until);
}

TEST_P(JobsTest, LoadingGivesWhatCanTickAndChangesGiveAll) {
  std::vector<JobRow> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back(add_job("j" + std::to_string(i)));
  must(change({.job = jobs[0].id, .status = JobStatus::kPaused}));
  must(change({.job = jobs[1].id, .status = JobStatus::kDeleted}));
  must(change({.job = jobs[2].id, .status = JobStatus::kCancelled}));
  must(change({.job = jobs[3].id, .status = JobStatus::kCompleted}));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const PartitionNo partition = partition_of(jobs[i].id);
    const auto loaded = must(store().load_partition(partition)).jobs;
    EXPECT_EQ(std::ranges::count(loaded, jobs[i].id, &JobRow::id), i == 0 ? 1 : 0) << i;
    // It changed twice, but appears once.
    const auto changes = must(changes_since(store(), partition, JobsVersion(0))).jobs;
    EXPECT_EQ(std::ranges::count(changes, jobs[i].id, &JobRow::id), 1) << i;
  }
  const PartitionNo partition = partition_of(jobs[1].id);
  const auto none = must(changes_since(store(), partition, version_of(partition)));
  EXPECT_TRUE(none.jobs.empty());
  const auto changes = must(changes_since(store(), partition, JobsVersion(0))).jobs;
  const auto deleted = std::ranges::find(changes, jobs[1].id, &JobRow::id);
  EXPECT_EQ(deleted->status, JobStatus::kDeleted);
}

TEST_P(JobsTest, ChangesThatWereForgottenAreAConflict) {
  const JobRow job = add_job("a");
  const PartitionNo partition = partition_of(job.id);
  const JobsVersion version = version_of(partition);
  pass(2h);
  must(change({.job = job.id, .status = JobStatus::kPaused}));
  must(store().keep_history(24h));
  EXPECT_EQ(code_of(changes_since(store(), partition, JobsVersion(0))), Errc::kConflict);
  EXPECT_EQ(must(changes_since(store(), partition, version)).jobs.size(), 1U);
}

TEST_P(JobsTest, ChangesOfManyPartitionsComeInTheOrderAsked) {
  std::vector<JobRow> jobs{add_job("a")};
  while (jobs.size() < 3) {
    const JobRow job = add_job("j" + std::to_string(jobs.size()));
    if (partition_of(job.id) != partition_of(jobs.back().id)) jobs.push_back(job);
  }
  std::vector<KnownJobs> known;
  for (const JobRow& job : jobs) known.push_back({partition_of(job.id), JobsVersion(0)});
  known[1].version = version_of(known[1].partition);  // nothing new
  const JobsVersion ahead(version_of(known[2].partition).value() + 1);
  known.push_back({known[2].partition, ahead});  // the store was set back: it cannot know
  const auto changes = must(store().load_changes(known));
  ASSERT_EQ(changes.size(), 4U);
  ASSERT_TRUE(changes[0] && changes[1] && changes[2]);
  EXPECT_EQ(changes[0]->brief.front().id, jobs[0].id);
  EXPECT_EQ(changes[0]->version, version_of(known[0].partition));
  EXPECT_TRUE(changes[1]->brief.empty() && changes[1]->whole.empty());
  EXPECT_EQ(changes[2]->brief.front().id, jobs[2].id);
  EXPECT_FALSE(changes[3]);
}

TEST_P(JobsTest, ChangesAreBriefAboutActiveJobsWhoseTermsSayTheRest) {
  const JobRow brief = add_job("a");
  const JobRow paused = add_job("b");
  must(change({.job = paused.id, .status = JobStatus::kPaused}));
  const JobRow gone = add_job("c");
  must(change({.job = gone.id, .status = JobStatus::kCompleted}));
  const auto changes_of = [&](const JobRow& job) {
    const KnownJobs known{partition_of(job.id), JobsVersion(0)};
    return *must(store().load_changes({&known, 1})).front();
  };
  const auto is_brief = [&](const JobRow& job) {
    return std::ranges::count(changes_of(job).brief, job.id, &BriefJob::id) == 1;
  };
  EXPECT_TRUE(is_brief(brief));
  EXPECT_FALSE(is_brief(paused));
  EXPECT_EQ(changes_of(brief).brief.front().terms, core::terms_of(brief.definition));
  EXPECT_EQ(changes_of(brief).brief.front().effective_from, brief.effective_from);
  const auto whole = changes_of(paused).whole;
  ASSERT_EQ(std::ranges::count(whole, paused.id, &JobRow::id), 1);
  EXPECT_EQ(std::ranges::find(whole, paused.id, &JobRow::id)->status, JobStatus::kPaused);
  EXPECT_EQ(std::ranges::count(changes_of(gone).gone, gone.id), 1);
}

TEST_P(JobsTest, ATenantHasNoMoreJobsThanItMay) {
  const TenantId tenant = must(store().put_tenant({.name = "small", .max_jobs = 3}));
  const auto create = [&](const std::string& prefix, int count) {
    std::vector<JobStore::NewJob> wanted = {new_job(prefix + " of another", OverlapPolicy::kAllow)};
    for (int i = 0; i < count; ++i) {
      wanted.push_back(new_job(prefix + std::to_string(i), OverlapPolicy::kAllow, tenant));
    }
    return store().create_jobs(wanted);
  };
  const auto two = must(create("a", 2));
  const auto refused = create("b", 2);
  ASSERT_EQ(code_of(refused), Errc::kQuotaExceeded);
  EXPECT_EQ(refused.error().field, "max_jobs");
  EXPECT_NE(refused.error().message.find("has 2 of at most 3 jobs"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(code_of(store().find_job(TenantId(1), "b of another")), Errc::kNotFound);  // nothing
  must(create("c", 1));
  EXPECT_EQ(code_of(create("d", 1)), Errc::kQuotaExceeded);
  // A paused job counts, a deleted one does not; and it is deleted only once.
  must(change({.job = two[1].id, .status = JobStatus::kPaused}));
  EXPECT_EQ(code_of(create("d", 1)), Errc::kQuotaExceeded);
  must(change({.job = two[1].id, .status = JobStatus::kDeleted}));
  EXPECT_EQ(code_of(change({.job = two[1].id, .status = JobStatus::kDeleted})), Errc::kNotFound);
  must(change({.job = two[2].id, .status = JobStatus::kDeleted}));
  must(create("d", 2));
  EXPECT_EQ(code_of(create("e", 1)), Errc::kQuotaExceeded);
  must(store().put_tenant({.id = tenant, .name = "small", .max_jobs = 0}));
  must(create("e", 10));
}

BELFRY_FOR_EACH_STORE(JobsTest);

}  // namespace
}  // namespace belfry::store
