#include "tests/store/suite.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace belfry::store {
namespace {

using std::chrono::seconds;
using Rules = std::vector<std::string>;

class CalendarsTest : public StoreTest {
 protected:
  CalendarsTest() { own_everything(); }

  CalendarRow put(const std::string& name, const Rules& rules) {
    return must(store().put_calendar(kMine, name, rules, {}));
  }
  JobStore::NewJob with_calendar(const std::string& name, const std::string& calendar) {
    JobStore::NewJob job = new_job(name, core::OverlapPolicy::kAllow);
    job.definition.schedule.calendar_name = calendar;
    return job;
  }
  std::string rules_of(JobId job) {
    const std::string found = must(store().find_job(job)).definition.schedule.calendar_rules;
    for (const JobRow& row : must(store().load_partition(partition_of(job))).jobs) {
      if (row.id != job) continue;
      EXPECT_EQ(row.definition.schedule.calendar_rules, found);
    }
    return found;
  }
  JobRow follow(JobId job) { return must(store().change_job({.job = job})).job; }
  static constexpr TenantId kMine{1};
};

TEST_P(CalendarsTest, AreKeptWithTheirRules) {
  const CalendarRow made = put("b", {"2026-12-25", "SAT,SUN"});
  EXPECT_EQ(made.revision, 1U);
  EXPECT_EQ(made.rules, (Rules{"2026-12-25", "SAT,SUN"}));
  pass(seconds(1));
  EXPECT_EQ(put("b", {"2026-12-25", "SAT,SUN"}).revision, 1U) << "the same again changes nothing";
  EXPECT_EQ(put("b", {"SAT"}).revision, 2U);
  EXPECT_EQ(must(store().find_calendar(kMine, "b")).rules, Rules{"SAT"});
  EXPECT_EQ(must(store().find_calendar(kMine, "b")).updated_at, now());
  put("a", {});
  put("c", {"SUN"});
  const auto listed = must(store().list_calendars(kMine, "a", 10));
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].name, "b");
  EXPECT_EQ(must(store().find_calendar(kMine, "a")).rules, Rules{});
  EXPECT_EQ(code_of(store().find_calendar(TenantId(2), "a")), Errc::kNotFound);
  EXPECT_EQ(code_of(store().put_calendar(TenantId(99), "x", {}, {})), Errc::kNotFound);
  EXPECT_EQ(code_of(store().put_calendar(kMine, "x", {"SAT\nSUN"}, {})), Errc::kInvalid);
}

TEST_P(CalendarsTest, AJobTakesTheRulesOfItsCalendar) {
  put("holidays", {"2026-12-25", "SAT"});
  const JobRow made = add(with_calendar("a", "holidays"));
  EXPECT_EQ(made.definition.schedule.calendar_rules, "2026-12-25\nSAT");
  EXPECT_EQ(made.calendar_revision, 1U);
  EXPECT_EQ(rules_of(made.id), "2026-12-25\nSAT");
  EXPECT_EQ(rules_of(add_job("plain").id), "");
  EXPECT_EQ(must(store().revisions_of(made.id, {}, 1)).at(0).schedule.calendar_rules,
            "2026-12-25\nSAT");
}

TEST_P(CalendarsTest, AJobOfAnUnknownCalendarIsRefused) {
  const auto refused = [&](const auto& result) {
    return code_of(result) == Errc::kNotFound && result.error().field == "calendar";
  };
  const JobStore::NewJob job = with_calendar("a", "none");
  EXPECT_TRUE(refused(store().create_jobs({&job, 1})));
  EXPECT_EQ(code_of(store().find_job(kMine, "a")), Errc::kNotFound);
  const JobRow there = add_job("b");
  core::JobDefinition definition = there.definition;
  definition.schedule.calendar_name = "none";
  EXPECT_TRUE(refused(store().change_job({.job = there.id, .definition = definition})));
}

TEST_P(CalendarsTest, AJobChangesItsCalendar) {
  put("one", {"SAT"});
  put("two", {"SUN"});
  const JobRow job = add(with_calendar("a", "one"));
  core::JobDefinition definition = must(store().find_job(job.id)).definition;
  definition.schedule.calendar_name = "two";
  EXPECT_EQ(must(store().change_job({.job = job.id, .definition = definition}))
                .job.definition.schedule.calendar_rules,
            "SUN");
  EXPECT_EQ(rules_of(job.id), "SUN");
  definition.schedule.calendar_name = "";
  must(store().change_job({.job = job.id, .definition = definition}));
  EXPECT_EQ(rules_of(job.id), "");
  const auto revisions = must(store().revisions_of(job.id, {}, 9));
  ASSERT_EQ(revisions.size(), 3U);
  EXPECT_EQ(revisions[0].schedule.calendar_rules, "");
  EXPECT_EQ(revisions[1].schedule.calendar_rules, "SUN");
  EXPECT_EQ(revisions[2].schedule.calendar_rules, "SAT");
}

TEST_P(CalendarsTest, AnEditThatDoesNotRescheduleKeepsTheRules) {
  put("one", {"SAT"});
  const JobRow job = add(with_calendar("a", "one"));
  put("one", {"SUN"});
  core::JobDefinition definition = must(store().find_job(job.id)).definition;
  definition.description = "other";
  definition.schedule.calendar_rules = "MON";  // not for the caller to say
  const JobRow edited =
      must(store().change_job({.job = job.id, .definition = definition, .reschedules = false})).job;
  EXPECT_EQ(edited.definition.schedule.calendar_rules, "SAT");
  EXPECT_EQ(rules_of(job.id), "SAT");
  EXPECT_EQ(must(store().revisions_of(job.id, {}, 1)).at(0).schedule.calendar_rules, "SAT");
  EXPECT_EQ(must(store().jobs_behind(9)), std::vector<JobId>{job.id});
}

TEST_P(CalendarsTest, JobsFollowAChangeByTheRulesOfAChange) {
  put("one", {"SAT"});
  const JobRow job = add(with_calendar("a", "one"));
  const JobRow paused = add(with_calendar("b", "one"));
  const JobRow over = add(with_calendar("c", "one"));
  must(store().change_job({.job = paused.id, .status = core::JobStatus::kPaused}));
  must(store().change_job({.job = over.id, .status = core::JobStatus::kCancelled}));
  EXPECT_TRUE(must(store().jobs_behind(9)).empty());
  pass(seconds(60));
  put("one", {"FRI"});  // that is today
  auto behind = must(store().jobs_behind(9));
  std::ranges::sort(behind);
  EXPECT_EQ(behind, (std::vector<JobId>{job.id, paused.id}))
      << "what ticks no more need not follow";
  EXPECT_EQ(must(store().jobs_behind(1)).size(), 1U);
  const JobsVersion version = version_of(partition_of(job.id));
  const JobRow followed = follow(job.id);
  EXPECT_EQ(followed.revision, 2U);
  EXPECT_EQ(followed.effective_from, now());
  EXPECT_EQ(followed.definition.schedule.calendar_rules, "FRI");
  EXPECT_EQ(version_of(partition_of(job.id)), JobsVersion(version.value() + 1));
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 1U) << "settled by the old rules";
  EXPECT_EQ(runs[0].run, ref(job.id, 60));
  EXPECT_EQ(runs[0].revision, 1U);
  EXPECT_EQ(must(store().jobs_behind(9)), std::vector<JobId>{paused.id});
  EXPECT_EQ(follow(paused.id).status, core::JobStatus::kPaused);
  EXPECT_TRUE(must(store().jobs_behind(9)).empty());
  EXPECT_EQ(follow(job.id).revision, 2U) << "once more changes nothing";
  put("one", {"MON"});
  EXPECT_EQ(must(store().jobs_behind(9)).size(), 2U) << "and again after the next change";
}

TEST_P(CalendarsTest, ACalendarInUseStays) {
  put("one", {"SAT"});
  const JobRow job = add(with_calendar("a", "one"));
  const auto refused = store().delete_calendar(kMine, "one", {});
  ASSERT_EQ(code_of(refused), Errc::kConflict);
  EXPECT_NE(refused.error().message.find("`a`"), std::string::npos);
  must(store().change_job({.job = job.id, .status = core::JobStatus::kDeleted}));
  must(store().delete_calendar(kMine, "one", {}));
  EXPECT_EQ(code_of(store().delete_calendar(kMine, "one", {})), Errc::kNotFound);
}

BELFRY_FOR_EACH_STORE(CalendarsTest);

}  // namespace
}  // namespace belfry::store
