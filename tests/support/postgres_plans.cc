#include "tests/support/postgres_plans.h"

#include "store/postgres/sql.h"

#include <fmt/format.h>

#include <algorithm>

namespace belfry::test {
namespace {

namespace postgres = store::postgres;

int parameters_of(std::string_view statement) {
  int count = 0;
  while (statement.find("$" + std::to_string(count + 1)) != std::string_view::npos) ++count;
  return count;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::vector<HotStatement> hot_statements() {
  return {{"renew", postgres::kRenew},
          {"decide", postgres::kDecide},
          {"grant_runs", postgres::kGrantRuns},
          {"read_live", postgres::kReadLive},
          {"find_live", postgres::kFindLive},
          {"heartbeat", postgres::kHeartbeat},
          {"facts_of", postgres::kFactsOf},
          {"return_runs", postgres::kReturnRuns},
          {"outcomes_of", postgres::kOutcomesOf},
          {"end_attempts", postgres::kEndAttempts},
          {"end_successes", postgres::kEndSuccesses},
          {"trigger", postgres::kTrigger},
          {"cancel_run", postgres::kCancelRun},
          {"complete_jobs", postgres::kCompleteJobs},
          {"end_line", postgres::kEndLine},
          {"sweep_skips", postgres::kSweepSkips},
          {"load_partition", postgres::kLoadPartition},
          {"load_cursor", postgres::kLoadCursor},
          {"load_terms", postgres::kLoadTerms},
          {"load_rest", postgres::kLoadRest},
          {"load_jobs", postgres::kLoadJobs},
          {"load_changes", postgres::kLoadChanges},
          {"holders", postgres::kHolders},
          {"take", postgres::kTake},
          {"prepare_jobs", postgres::kPrepareJobs},
          {"insert_jobs", postgres::kInsertJobs},
          {"announce_jobs", postgres::kAnnounceJobs}};
}

Result<std::string> plan_of(postgres::Connection& connection, std::string_view sql,
                            BootInstant deadline, std::string_view arguments) {
  const auto run = [&](const std::string& text) {
    return connection.run_script(text, postgres::Effect::kCommits, deadline);
  };
  BELFRY_TRY(prepared, run(fmt::format("prepare plan_of as {}", sql)));
  std::string values(arguments.empty() ? "null" : arguments);
  for (int i = 1; arguments.empty() && i < parameters_of(sql); ++i) values += ", null";
  BELFRY_TRY(reply, run(fmt::format("explain execute plan_of({})", values)));
  BELFRY_TRY(gone, run("deallocate plan_of"));
  std::string plan;
  for (int i = 0; i < reply.size(); ++i) plan += reply.row(i).text() + "\n";
  return plan;
}

std::string complaint_about(std::string_view plan) {
  for (const std::string_view table : {"runs", "jobs", "job_revisions", "skips", "history",
                                       "attempts", "partitions", "job_changes"}) {
    if (plan.find(fmt::format("Seq Scan on {}", table)) != std::string_view::npos) {
      return fmt::format("reads all of {}", table);
    }
  }
  bool index = false;
  bool needs_condition = false;
  for (const std::string_view line : lines_of(plan)) {
    if (needs_condition && line.find("Index Cond:") == std::string_view::npos) {
      return "reads an index from one end to the other";
    }
    // A row in a condition bounds a scan by its first column only.
    if (line.find("Index Cond: ((ROW(") != std::string_view::npos) {
      return "reads an index beyond the row it looks for";
    }
    const bool is_scan = line.find("Index Scan using") != std::string_view::npos ||
                         line.find("Index Only Scan using") != std::string_view::npos;
    // The indexes of the few tenants and types that are special are made to be read whole.
    needs_condition = is_scan && line.find("tenants_unusual") == std::string_view::npos &&
                      line.find("job_types_limited") == std::string_view::npos;
    index = index || is_scan;
  }
  return index ? "" : "uses no index";
}

}  // namespace belfry::test
