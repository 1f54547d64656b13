// Every row of tests/cron/data, as given by the oracles named in it: these rows and
// docs/concepts/cron.md define the dialect.
#include "core/cron/compile.h"
#include "core/cron/every.h"
#include "core/cron/hash.h"
#include "core/cron/rule.h"
#include "core/schedule/civil.h"
#include "core/schedule/zone_catalog.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace belfry::core {
namespace {

using Row = std::vector<std::string>;

std::vector<Row> read_rows(const std::string& file) {
  std::ifstream in(std::string(BELFRY_CRON_DATA) + "/" + file + ".tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    Row row{""};
    for (const char c : line) {
      if (c == '\t') {
        row.emplace_back();
      } else {
        row.back() += c;
      }
    }
    rows.push_back(row);
  }
  return rows;
}

std::int64_t unix_seconds(const std::string& text) {  // 2026-03-08T07:00:00Z
  const auto part = [&](std::size_t at, std::size_t n) { return std::stoi(text.substr(at, n)); };
  return days_from_civil({part(0, 4), part(5, 2), part(8, 2)}) * kSecondsPerDay +
         part(11, 2) * 3600 + part(14, 2) * 60 + part(17, 2);
}

std::string rfc3339(std::int64_t t) {
  const CivilDate date = civil_from_days(floor_days(t));
  const auto second = static_cast<int>(t - floor_days(t) * kSecondsPerDay);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", date.year, date.month,
                date.day, second / 3600, second / 60 % 60, second % 60);
  return text;
}

// The first five instants after a start in the notation of the rows.
std::string five(const std::function<std::optional<std::int64_t>(std::int64_t)>& next,
                 std::int64_t start) {
  std::string text;
  for (int i = 0; i < 5; ++i) {
    if (i > 0) text += ' ';
    const auto found = next(start);
    if (!found) return text + "-";
    text += rfc3339(*found);
    start = *found;
  }
  return text;
}

class ScheduleRows : public testing::TestWithParam<std::pair<std::string, std::size_t>> {};

TEST_P(ScheduleRows, Match) {
  const auto [file, count] = GetParam();
  const Dialect dialect = file == "quartz" ? Dialect::kQuartz : Dialect::kStandard;
  const std::vector<Row> rows = read_rows(file);
  EXPECT_EQ(rows.size(), count);
  ZoneCatalog zones;
  for (const Row& row : rows) {
    SCOPED_TRACE(row[0] + " in " + row[1] + " after " + row[2]);
    const auto zone = zones.find(row[1]);
    ASSERT_TRUE(zone);
    if (is_every(row[0])) {
      const auto interval = parse_every(row[0]);
      ASSERT_TRUE(interval);
      EXPECT_EQ(five([&](std::int64_t t) { return t + interval->count(); }, unix_seconds(row[2])),
                row[3]);
      continue;
    }
    const auto expression = parse_expression(row[0], dialect);
    ASSERT_TRUE(expression) << to_string(expression.error());
    const CronRule rule(*expression, **zone, DstOverlap::kFirst);
    const auto next = [&](std::int64_t t) -> std::optional<std::int64_t> {
      const auto fire = rule.next(t);
      return fire ? std::optional(fire->at) : std::nullopt;
    };
    EXPECT_EQ(five(next, unix_seconds(row[2])), row[3]);
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, ScheduleRows,
                         testing::Values(std::pair("basic", 650U), std::pair("days", 280U),
                                         std::pair("seconds", 240U), std::pair("year", 160U),
                                         std::pair("special", 400U), std::pair("quartz", 210U),
                                         std::pair("dst", 673U), std::pair("edge", 134U),
                                         std::pair("macros", 70U), std::pair("every", 24U),
                                         std::pair("never", 45U), std::pair("peers", 462U)),
                         [](const auto& rows) { return rows.param.first; });

TEST(Conformance, RejectsAreRefusedWithAReasonThatNamesTheField) {
  const std::vector<Row> rows = read_rows("rejects");
  EXPECT_EQ(rows.size(), 404U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row[0] + ": " + row[1]);
    const auto error = [&]() -> std::optional<Error> {
      if (is_every(row[0])) {
        const auto every = parse_every(row[0]);
        return every ? std::nullopt : std::optional(every.error());
      }
      const auto parsed = parse_expression(row[0]);
      return parsed ? std::nullopt : std::optional(parsed.error());
    }();
    ASSERT_TRUE(error);
    EXPECT_FALSE(error->field.empty());
    EXPECT_FALSE(error->message.empty());
    EXPECT_TRUE(error->span);
  }
}

TEST(Conformance, HashesResolveAsPublished) {
  const std::vector<Row> rows = read_rows("hash");
  EXPECT_EQ(rows.size(), 60U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row[0] + " for " + row[1]);
    const auto resolved = resolve_hash(row[0], Dialect::kStandard, row[1]);
    ASSERT_TRUE(resolved);
    EXPECT_EQ(*resolved, row[2]);
    // The expression and its resolved text mean the same.
    const auto hashed = parse_expression(row[0], Dialect::kStandard, row[1]);
    const auto plain = parse_expression(row[2]);
    ASSERT_TRUE(hashed && plain);
    EXPECT_TRUE(*hashed == *plain);
  }
}

}  // namespace
}  // namespace belfry::core
