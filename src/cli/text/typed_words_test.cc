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

}  // namespace
}  // namespace belfry::cli
