#include "cli/archive/history_verb.h"

#include "archive/past_runs.h"
#include "cli/text/run_text.h"
#include "cli/text/time_argument.h"
#include "core/schedule/zone_catalog.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace belfry::cli {
namespace {

struct HistoryAsk {
  std::string archive;
  std::string job;
  std::string state;
  std::string from;
  std::string to;
  std::size_t limit = 50;
};

Answer<std::optional<Instant>> instant_of(const std::string& text, const std::string& flag,
                                          const Session& session) {
  if (text.empty()) return std::optional<Instant>();
  const auto& environment = session.terminal().environment;
  core::ZoneCatalog zones;
  const auto at =
      parse_time(text, session.now(), local_zone(environment ? environment("TZ") : ""), zones);
  if (at) return std::optional(*at);
  Problem problem(at.error());
  problem.what = flag + ": " + problem.what;
  return fail(std::move(problem));
}

Answer<archive::PastFilter> filter_of(const HistoryAsk& ask, const Session& session) {
  archive::PastFilter filter{
      .job = ask.job, .tenant = session.globals().tenant, .state = ask.state};
  std::ranges::transform(filter.state, filter.state.begin(), [](char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(c));
  });
  BELFRY_TRY(from, instant_of(ask.from, "--from", session));
  BELFRY_TRY(to, instant_of(ask.to, "--to", session));
  filter.from = from;
  filter.to = to;
  return filter;
}

// As lines of JSON, runs are printed while they are read: a year of them need not be held.
Answer<int> show_history(const HistoryAsk& ask, const Session& session) {
  BELFRY_TRY(filter, filter_of(ask, session));
  const bool streams = session.globals().output == "jsonl";
  Json runs = Json::array();
  std::size_t count = 0;
  bool more = false;
  const auto take = [&](const Json& run) {
    more = ask.limit > 0 && count == ask.limit;
    if (more) return false;
    ++count;
    if (streams) {
      session.print(run);
    } else {
      runs.push_back(run);
    }
    return true;
  };
  const auto read = archive::read_past_runs(ask.archive, filter, take);
  if (!read) return fail(Problem(read.error()));
  if (session.is_table()) {
    print_runs(runs, session);
  } else if (!streams) {
    session.print(runs);
  }
  if (more) session.say("there are more: --limit N, or --limit 0 for all");
  return int{kOk};
}

}  // namespace

void add_history_verb(const Program& program) {
  const auto ask = std::make_shared<HistoryAsk>();
  Command& command =
      program.verb("history", "runs that were archived, the last to end first; needs no server",
                   [ask](Session& session) { return show_history(*ask, session); });
  command.option("job", ask->job, "only runs of this job: its name or id");
  command.option("--archive", ask->archive, "the folder that `serve` has as archive_dir")
      .type("FOLDER")
      .proposes(Proposal::kFile)
      .required();
  command.option("--from", ask->from, "only those that ended from this time on").type("TIME");
  command.option("--to", ask->to, "only those that ended before this time").type("TIME");
  command.option("--state", ask->state, "only runs that ended like this: dead, succeeded, …")
      .one_of({"succeeded", "failed", "dead", "cancelled", "timed-out"})
      .type("STATE");
  command.option("--limit", ask->limit, "at most this many; 0: all (default: 50)");
  command.examples(
      {"belfry history --archive archive backup",
       "belfry history --archive archive --from 2026-01-01 --to 2026-02-01 --state dead",
       "belfry history --archive archive --limit 0 -o jsonl"});
}

}  // namespace belfry::cli
