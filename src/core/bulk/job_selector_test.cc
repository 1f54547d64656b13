#include "core/bulk/job_selector.h"

#include "core/bulk/job_action.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

std::string reread(const std::string& text) {
  const auto term = parse_label_term(text);
  return term ? to_string(*term) : "refused";
}

TEST(JobSelectorTest, ReadsTheThreeFormsOfALabel) {
  EXPECT_EQ(reread("env=prod"), "env=prod");
  EXPECT_EQ(reread(" env != prod "), "env!=prod");
  EXPECT_EQ(reread("env in (prod, stage)"), "env in (prod,stage)");
  EXPECT_EQ(reread("env in (prod)"), "env=prod");
  EXPECT_EQ(reread("url=a=b(c)"), "url=a=b(c)");
  EXPECT_EQ(reread("env="), "env=");
}

TEST(JobSelectorTest, RefusesWhatSelectsNothing) {
  for (const char* text :
       {"", "env", "=prod", "!=prod", "env in prod", "in (a)", "a b=c", "env (a)"}) {
    EXPECT_EQ(reread(text), "refused") << text;
  }
}

TEST(JobSelectorTest, IsReadAsItWasWritten) {
  const JobSelector selector{.labels = {{"env", true, {"prod"}}, {"team", false, {"a", "b"}}},
                             .name_prefix = "backup-",
                             .name_contains = "db",
                             .status = JobStatus::kPaused,
                             .job_type = "shell",
                             .failing = true};
  const std::string text = write_json(write_selector(selector));
  const auto again = read_selector(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(write_json(write_selector(*again)), text);
  EXPECT_EQ(write_json(write_selector({})), R"({"all":true})");
}

TEST(JobActionTest, LeavesAloneWhatIsAsWanted) {
  EXPECT_EQ(judge(JobAction::kPause, JobStatus::kPaused), ActionVerdict::kGo);
  EXPECT_EQ(judge(JobAction::kPause, JobStatus::kPaused, false), ActionVerdict::kAlready);
  EXPECT_EQ(judge(JobAction::kPause, JobStatus::kCompleted), ActionVerdict::kIsOver);
  EXPECT_EQ(judge(JobAction::kResume, JobStatus::kCancelled), ActionVerdict::kIsCancelled);
  EXPECT_EQ(judge(JobAction::kResume, JobStatus::kCompleted, false), ActionVerdict::kIsOver);
  EXPECT_EQ(judge(JobAction::kCancel, JobStatus::kCancelled), ActionVerdict::kAlready);
  EXPECT_EQ(judge(JobAction::kDelete, JobStatus::kCompleted), ActionVerdict::kGo);
}

TEST(JobActionTest, EditsLabels) {
  const LabelEdit edit{.set = R"({"env":"prod"})", .remove = {"old"}};
  EXPECT_EQ(edited_labels(R"({"old":"1","team":"a"})", edit), R"({"team":"a","env":"prod"})");
  EXPECT_EQ(edited_labels(R"({"team":"a","env":"prod"})", edit), std::nullopt);
}

}  // namespace
}  // namespace belfry::core
