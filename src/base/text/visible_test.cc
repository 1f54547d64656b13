#include "base/text/visible.h"

#include <gtest/gtest.h>

namespace belfry {
namespace {

TEST(VisibleTest, LeavesWhatPeopleWrite) {
  EXPECT_EQ(visible("größe 東京 \"x\" \\n 🎉"), "größe 東京 \"x\" \\n 🎉");
}

TEST(VisibleTest, EscapesWhatDrivesATerminal) {
  EXPECT_EQ(visible("a\033[2Jb\r\n\tc\x7f"), "a\\x1b[2Jb\\x0d\\n\\tc\\x7f");
  EXPECT_EQ(visible("\u009b31m"), "\\x9b31m");
  EXPECT_EQ(visible("\x9b"), "\\x9b");  // not UTF-8, and a control on some terminals
}

TEST(VisibleTest, EscapesWhatReordersALine) {
  for (const char* text : {"\u202e", "\u2066", "\u200f", "\u061c", "\u2028"}) {
    EXPECT_TRUE(visible(text).starts_with("\\u")) << text;
  }
  EXPECT_EQ(visible("pay\u202elortap"), "pay\\u202elortap");
}

TEST(VisibleTest, KeepsWhatItIsTold) {
  EXPECT_EQ(visible("a\n\tb\r", "\n\t"), "a\n\tb\\x0d");
}

TEST(VisibleTest, JsonStaysTheSame) {
  EXPECT_EQ(visible_json("{\n \"a\u202e\x7f\": 1}"), "{\n \"a\\u202e\\u007f\": 1}");
}

}  // namespace
}  // namespace belfry
