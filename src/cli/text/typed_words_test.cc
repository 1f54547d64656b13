#include "cli/text/typed_words.h"

#include <gtest/gtest.h>

namespace belfry::cli {
namespace {

TEST(TypedWordsTest, CallsBecomeCommands) {
  EXPECT_EQ(in_typed_words("choose another name, or PUT /jobs/name:report to replace it"),
            "choose another name, or `belfry edit report` to replace it");
  EXPECT_EQ(in_typed_words("make it with PUT /calendars/holidays"),
            "make it with `belfry calendars put holidays`");
  EXPECT_EQ(in_typed_words("?state: `X` is not a state"), "--state: `X` is not a state");
  EXPECT_EQ(in_typed_words("rules/0: `X` is not a rule"), "`X` is not a rule");
  EXPECT_EQ(in_typed_words("exit code 3"), "exit code 3");
}

TEST(TypedWordsTest, FieldsOfAJobBecomeFlags) {
  EXPECT_EQ(with_flag("cron_expression: minute: 61 is out of range"),
            "--cron: minute: 61 is out of range");
  EXPECT_EQ(with_flag("retry/base: too short"), "--retry: too short");
  EXPECT_EQ(with_flag("everything: is fine"), "everything: is fine");
  EXPECT_EQ(with_flag("no field here"), "no field here");
}

TEST(TypedWordsTest, OtherVerbsHaveFlagsThatAreCalledLikeTheFields) {
  EXPECT_EQ(with_option("until: this instant has passed already"),
            "--until: this instant has passed already");
  EXPECT_EQ(with_option("max_concurrent: too many"), "--max-concurrent: too many");
  EXPECT_EQ(with_option("there is no job: look again"), "there is no job: look again");
  EXPECT_EQ(with_option("no field here"), "no field here");
}

TEST(TypedWordsTest, AdviceNamesCommandsAndFlags) {
  EXPECT_EQ(in_typed_words("a cancelled job cannot be resumed; replace it (PUT) to bring it back"),
            "a cancelled job cannot be resumed; `belfry restore` brings it back");
  EXPECT_EQ(in_typed_words("--at: lies in the past, 1h ago; give a later instant or a `delay`; "
                           "`trigger` runs a job now"),
            "--at: lies in the past, 1h ago; give a later time, or --in; "
            "`belfry run` runs a job now");
}

}  // namespace
}  // namespace belfry::cli
