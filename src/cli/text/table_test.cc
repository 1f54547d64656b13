#include "cli/text/table.h"

#include "cli/text/text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace belfry::cli {
namespace {

std::string print(const Table& table, const Look& look) {
  std::ostringstream out;
  table.print(out, look);
  return out.str();
}

Table two_rows() {
  Table table({{"NAME", true}, {"N", false, true}, {"NOTE", true}});
  table.row({{"a"}, {"1"}, {""}});
  table.row({{"a rather long name"}, {"100"}, {"and a note nobody reads"}});
  return table;
}

TEST(TableTest, LinesUp) {
  EXPECT_EQ(print(two_rows(), {}),
            "NAME                  N  NOTE\n"
            "a                     1\n"
            "a rather long name  100  and a note nobody reads\n");
}

TEST(TableTest, FitsTheTerminalWithoutWrapping) {
  for (int width = 3; width < 60; ++width) {
    std::istringstream lines(print(two_rows(), {.width = width}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(width_of(line), static_cast<std::size_t>(width)) << width << ": " << line;
    }
  }
  EXPECT_EQ(print(two_rows(), {.width = 30}),
            "NAME           N  NOTE\n"
            "a              1\n"
            "a rather l…  100  and a note …\n");
}

TEST(TableTest, SpareColumnsGoBeforeNeededOnesAreUnreadable) {
  Table table({{"RUN"}, {"ORIGIN", false, false, 2}, {"WORKER", true, false, 1}, {"ERROR", true}});
  table.row({{"run-1"}, {"schedule"}, {"worker-of-some-host"}, {"exit code 3: no such customer"}});
  EXPECT_EQ(print(table, {.width = 60}),
            "RUN    WORKER               ERROR\n"
            "run-1  worker-of-some-host  exit code 3: no such customer\n");
  EXPECT_EQ(print(table, {.width = 38}),
            "RUN    ERROR\n"
            "run-1  exit code 3: no such customer\n");
}

TEST(TableTest, ColoursDoNotCountAsWidth) {
  Table table({{"A"}, {"B"}});
  table.row({{"x", Paint::kGood}, {"y"}});
  EXPECT_NE(print(table, {.width = 4, .colour = true}).find("\033[32mx\033[0m  y\n"),
            std::string::npos);
}

TEST(TextTest, NothingFromElsewhereCommandsTheTerminal) {
  EXPECT_EQ(clean("a\033[31mb\nc\td\x7f"), "a\\x1b[31mb c d\\x7f");
  EXPECT_EQ(clean("a\xC2\x9B"
                  "b"),
            "a\\x9bb");
  EXPECT_EQ(clean("a\u202eb"), "a\\u202eb");
  EXPECT_EQ(clean_lines("a\nb\033"), "a\nb\\x1b");
  EXPECT_EQ(clean("größe"), "größe");
}

TEST(TextTest, CutsBetweenCharacters) {
  EXPECT_EQ(fit("größe", 5), "größe");
  EXPECT_EQ(fit("größe", 4), "grö…");
  EXPECT_EQ(fit("größe", 1), "…");
  EXPECT_EQ(fit("größe", 0), "");
}

TEST(TextTest, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
  EXPECT_EQ(counted(1, "job"), "1 job");
  EXPECT_EQ(counted(1'000, "job"), "1,000 jobs");
}

}  // namespace
}  // namespace belfry::cli
