// OnCalendar= against systemd itself: the rows of calendar.tsv are the answers of `systemd-analyze
// calendar --iterations=5` of systemd 252 (data/README.md has the tools).
#include "base/text/instant_text.h"
#include "core/schedule/schedule.h"
#include "import/systemd/calendar_cron.h"
#include "import/systemd/calendar_spec.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace belfry::importer {
namespace {

struct Row {
  std::string spec;
  std::string zone;
  std::string from;
  std::string answer;  // instants, "never" or "invalid"
};

std::vector<Row> read_rows() {
  std::ifstream in(std::string(BELFRY_IMPORT_DATA) + "/calendar.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.spec, '\t');
    std::getline(cells, row.zone, '\t');
    std::getline(cells, row.from, '\t');
    std::getline(cells, row.answer, '\t');
    rows.push_back(row);
  }
  return rows;
}

Result<std::string> answer_to(const Row& row, core::ZoneCatalog& zones) {
  BELFRY_TRY(spec, parse_calendar(row.spec));
  BELFRY_TRY(expression, cron_from(spec));
  core::ScheduleSpec cron;
  cron.cron_expression = expression;
  cron.timezone = spec.timezone.empty() ? row.zone : spec.timezone;
  cron.dst_gap = core::DstGap::kSkip;
  BELFRY_TRY(schedule, core::Schedule::make(cron, zones));
  BELFRY_TRY(from, parse_instant(row.from));
  std::string text;
  for (int i = 0; i < 5; ++i) {
    const auto next = schedule.next_run(from);
    if (!next) break;
    from = next->starts();
    text += (text.empty() ? "" : " ") + format_instant(from);
  }
  return text.empty() ? "never" : text;
}

TEST(Calendar, TicksAsSystemdDoes) {
  const std::vector<Row> rows = read_rows();
  EXPECT_GE(rows.size(), 150U);
  core::ZoneCatalog zones;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.spec + " in " + row.zone);
    const Result<std::string> answer = answer_to(row, zones);
    if (row.answer == "invalid") {
      EXPECT_FALSE(answer) << *answer;
    } else {
      ASSERT_TRUE(answer) << to_string(answer.error());
      EXPECT_EQ(*answer, row.answer);
    }
  }
}

TEST(Calendar, RefusesAWeekdayTogetherWithADayOfTheMonth) {
  const auto spec = parse_calendar("Fri *-*-13 12:00");
  ASSERT_TRUE(spec);
  const auto expression = cron_from(*spec);
  ASSERT_FALSE(expression);
  EXPECT_NE(expression.error().message.find("`MON-THU,SAT,SUN`"), std::string::npos);
}

}  // namespace
}  // namespace belfry::importer
