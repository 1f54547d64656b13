#include "cli/cron/cron_batch.h"

#include "base/text/instant_text.h"
#include "core/cron/hash.h"
#include "core/schedule/schedule.h"

#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::cli {
namespace {

constexpr int kAnswersPerLine = 5;

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> columns;
  while (true) {
    const std::size_t tab = line.find('\t');
    columns.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return columns;
    line.remove_prefix(tab + 1);
  }
}

Result<std::string> next_five(std::string_view line, core::Dialect dialect,
                              core::ZoneCatalog& zones) {
  const std::vector<std::string_view> columns = columns_of(line);
  if (columns.size() < 3) {
    return fail(Errc::kInvalid, "the line needs EXPR, ZONE and START, separated by tabs");
  }
  BELFRY_TRY(start, parse_instant(columns[2]));
  BELFRY_TRY(schedule, core::Schedule::make({.cron_expression = std::string(columns[0]),
                                             .dialect = dialect,
                                             .timezone = std::string(columns[1]),
                                             .start_at = start},
                                            zones));
  std::string answer;
  for (int i = 0; i < kAnswersPerLine; ++i) {
    if (i > 0) answer += ' ';
    const auto tick = schedule.next_run(start);
    if (!tick) return answer + '-';
    start = tick->starts();
    answer += format_instant(start);
  }
  return answer;
}

Result<std::string> resolved(std::string_view line, core::Dialect dialect) {
  const std::vector<std::string_view> columns = columns_of(line);
  if (columns.size() < 2) {
    return fail(Errc::kInvalid, "the line needs EXPR and KEY, separated by a tab");
  }
  return core::resolve_hash(columns[0], dialect, columns[1]);
}

template <typename Answer>
void for_each_line(std::istream& in, std::ostream& out, Answer answer) {
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const Result<std::string> result = answer(line);
    if (result) {
      out << *result << '\n';
    } else {
      out << "ERROR " << to_string(result.error()) << '\n';
    }
  }
  out.flush();
}

}  // namespace

void next_batch(std::istream& in, std::ostream& out, core::Dialect dialect) {
  core::ZoneCatalog zones;
  for_each_line(in, out, [&](std::string_view line) { return next_five(line, dialect, zones); });
}

void resolve_batch(std::istream& in, std::ostream& out, core::Dialect dialect) {
  for_each_line(in, out, [&](std::string_view line) { return resolved(line, dialect); });
}

}  // namespace belfry::cli
