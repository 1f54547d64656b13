#include "tests/store/suite.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace belfry::store {
namespace {

using core::JobStatus;
using core::OverlapPolicy;
using Names = std::vector<std::string>;

class JobListsTest : public StoreTest {
 protected:
  JobListsTest() { own_everything(); }

  JobRow make(const std::string& name, const std::string& labels = "{}",
              const std::string& type = "default", TenantId tenant = TenantId(1)) {
    JobStore::NewJob job = new_job(name, OverlapPolicy::kAllow, tenant);
    job.definition.labels = labels;
    job.definition.job_type = type;
    return add(job);
  }
  void set_status(const JobRow& job, JobStatus status) {
    must(store().change_job({.job = job.id, .status = status}));
  }
  // All pages of a list, one after the other; none may be longer than asked.
  Names list(const JobFilter& filter, std::size_t limit = 100) {
    Names names;
    std::string after;
    for (int pages = 0; pages < 1'000; ++pages) {
      const JobPage page = must(store().list_jobs(filter, after, limit));
      EXPECT_LE(page.jobs.size(), limit);
      for (const JobRow& job : page.jobs) names.push_back(job.definition.name);
      if (!page.next) return names;
      EXPECT_GT(*page.next, after);
      after = *page.next;
    }
    ADD_FAILURE() << "the list does not end";
    return names;
  }
  static constexpr TenantId kMine{1};
};

TEST_P(JobListsTest, ByTheBytesOfTheirNamesInPages) {
  for (const char* name : {"b", "a", "B", "a-1", "ä", "a_1"}) make(name);
  EXPECT_EQ(list({.tenant = kMine}), (Names{"B", "a", "a-1", "a_1", "b", "ä"}));
  for (const std::size_t limit : {1U, 2U, 3U, 5U, 6U}) {
    EXPECT_EQ(list({.tenant = kMine}, limit).size(), 6U) << limit;
  }
  const JobPage all = must(store().list_jobs({.tenant = kMine}, "", 6));
  EXPECT_FALSE(all.next) << "a full page that is the last says so";
}

TEST_P(JobListsTest, OfOneTenantWithoutPayloadsAndDeletedOnes) {
  const TenantId other = must(store().put_tenant({.name = "other"}));
  pass(std::chrono::seconds(5));
  const JobRow job = make("a", R"({"team":"x"})");
  make("b", "{}", "default", other);
  const JobRow gone = make("c", R"({"team":"x"})");
  set_status(gone, JobStatus::kDeleted);
  EXPECT_EQ(list({.tenant = kMine}), Names{"a"});
  EXPECT_EQ(list({.tenant = kMine, .labels = {"team=x"}}), Names{"a"});
  EXPECT_EQ(list({.tenant = other}), Names{"b"});
  const JobRow listed = must(store().list_jobs({.tenant = kMine}, "", 10)).jobs.at(0);
  EXPECT_EQ(listed.id, job.id);
  EXPECT_EQ(listed.definition.payload, "");
  EXPECT_EQ(listed.definition.target, "");
  EXPECT_NE(listed.definition.labels.find("team"), std::string::npos);
  EXPECT_EQ(listed.created_at, now());
  EXPECT_EQ(listed.updated_at, now());
  EXPECT_EQ(must(store().find_job(job.id)).created_at, now());
}

TEST_P(JobListsTest, ByStatusAndType) {
  make("a");
  const JobRow paused = make("b", "{}", "mail");
  set_status(paused, JobStatus::kPaused);
  make("c", "{}", "mail");
  const JobRow cancelled = make("d");
  set_status(cancelled, JobStatus::kCancelled);
  EXPECT_EQ(list({.tenant = kMine, .status = JobStatus::kActive}, 1), (Names{"a", "c"}));
  EXPECT_EQ(list({.tenant = kMine, .status = JobStatus::kPaused}), Names{"b"});
  EXPECT_EQ(list({.tenant = kMine, .status = JobStatus::kCancelled}), Names{"d"});
  EXPECT_EQ(list({.tenant = kMine, .job_type = "mail"}, 1), (Names{"b", "c"}));
  EXPECT_EQ(list({.tenant = kMine, .job_type = "default"}), (Names{"a", "d"}));
  EXPECT_EQ(list({.tenant = kMine, .status = JobStatus::kActive, .job_type = "mail"}), Names{"c"});
  set_status(paused, JobStatus::kActive);
  EXPECT_EQ(list({.tenant = kMine, .status = JobStatus::kPaused}), Names{});
}

TEST_P(JobListsTest, ByLabelsOfWhichAllMustMatch) {
  make("a", R"({"team":"x","env":"prod"})");
  make("b", R"({"team":"x","env":"test"})");
  make("c", R"({"team":"y","env":"prod"})");
  make("d");
  EXPECT_EQ(list({.tenant = kMine, .labels = {"team=x"}}, 1), (Names{"a", "b"}));
  EXPECT_EQ(list({.tenant = kMine, .labels = {"env=prod", "team=x"}}), Names{"a"});
  EXPECT_EQ(list({.tenant = kMine, .labels = {"team=x", "env=prod"}}), Names{"a"});
  EXPECT_EQ(list({.tenant = kMine, .labels = {"team=z"}}), Names{});
  EXPECT_EQ(list({.tenant = kMine, .labels = {"team"}}), Names{});
}

TEST_P(JobListsTest, LabelsFollowTheJob) {
  const JobRow job = make("old", R"({"team":"x"})");
  core::JobDefinition definition = must(store().find_job(job.id)).definition;
  definition.name = "new";
  definition.labels = R"({"team":"y"})";
  must(store().change_job({.job = job.id, .definition = definition, .reschedules = false}));
  EXPECT_EQ(list({.tenant = kMine, .labels = {"team=x"}}), Names{});
  EXPECT_EQ(list({.tenant = kMine, .labels = {"team=y"}}), Names{"new"});
  definition.name = "newer";
  must(store().change_job({.job = job.id, .definition = definition, .reschedules = false}));
  EXPECT_EQ(list({.tenant = kMine, .labels = {"team=y"}}), Names{"newer"});
  definition.labels = "{}";
  must(store().change_job({.job = job.id, .definition = definition, .reschedules = false}));
  EXPECT_EQ(list({.tenant = kMine, .labels = {"team=y"}}), Names{});
}

TEST_P(JobListsTest, ByAPartOfTheNameInEitherCase) {
  for (const char* name : {"Nightly-Report", "report", "rep", "weekly"}) make(name);
  EXPECT_EQ(list({.tenant = kMine, .text = "REPORT"}, 1), (Names{"Nightly-Report", "report"}));
  EXPECT_EQ(list({.tenant = kMine, .text = "ly"}), (Names{"Nightly-Report", "weekly"}));
  EXPECT_EQ(list({.tenant = kMine, .text = "%"}), Names{});
}

TEST_P(JobListsTest, APageLooksOnlySoFar) {
  std::vector<JobStore::NewJob> many;
  for (int i = 0; i < 25'000; ++i) {
    many.push_back(new_job("j" + std::to_string(100'000 + i), OverlapPolicy::kAllow));
    if (i % 2 == 0) many.back().definition.labels = R"({"half":"even"})";
  }
  many.back().definition.name = "the last";
  for (std::size_t i = 0; i < many.size(); i += 10'000) {
    must(store().create_jobs(
        std::span(many).subspan(i, std::min<std::size_t>(10'000, many.size() - i))));
  }
  const JobFilter rare{.tenant = kMine, .text = "LAST"};
  const JobPage first = must(store().list_jobs(rare, "", 10));
  EXPECT_TRUE(first.jobs.empty());
  EXPECT_EQ(first.next, "j104999") << "5,000 names and no more";
  EXPECT_EQ(list(rare, 10), Names{"the last"});
  EXPECT_EQ(list({.tenant = kMine, .labels = {"half=even"}}, 1'000).size(), 12'500U);
  EXPECT_EQ(list({.tenant = kMine, .status = JobStatus::kActive}, 1'000).size(), 25'000U);
}

TEST_P(JobListsTest, ARareFilterLeadsWhateverElseIsAskedFor) {
  std::vector<JobStore::NewJob> many;
  for (int i = 0; i < 5'000; ++i) {
    many.push_back(new_job("j" + std::to_string(10'000 + i), OverlapPolicy::kAllow));
    many.back().definition.labels = i == 4'321 ? R"({"team":"x","rare":"1"})" : R"({"team":"x"})";
  }
  const auto made = must(store().create_jobs(many));
  set_status(made[4'900], JobStatus::kPaused);
  const auto only_page = [&](const JobFilter& filter) {
    const JobPage page = must(store().list_jobs(filter, "", 10));
    EXPECT_FALSE(page.next);
    return page.jobs.size() == 1 ? page.jobs[0].definition.name : "";
  };
  EXPECT_EQ(only_page({.tenant = kMine, .labels = {"team=x", "rare=1"}}), "j14321");
  EXPECT_EQ(only_page({.tenant = kMine, .status = JobStatus::kPaused, .labels = {"team=x"}}),
            "j14900");
}

BELFRY_FOR_EACH_STORE(JobListsTest);

}  // namespace
}  // namespace belfry::store
