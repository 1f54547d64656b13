#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/run_text.h"
#include "cli/text/text.h"
#include "cli/verbs/run_output.h"

#include <chrono>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

struct LogAsk {
  std::string subject;  // a run, or a job: then its newest run
  std::string attempt;
  std::size_t lines = 0;  // 0: all
  bool follow = false;
};

Answer<std::string> newest_run(const std::string& job, client::Client& client) {
  BELFRY_TRY(listing, list(client, client::job_path(job, "/runs"), {}, 1));
  if (!listing.items.empty()) return field(listing.items[0], "run_id");
  return fail(Problem(Problem::Kind::kNotFound, "`" + job + "` has not run yet", "",
                      "run it now:  belfry run " + job + " --wait"));
}

Answer<std::string> run_meant(const std::string& subject, client::Client& client) {
  if (is_run_id(subject)) return subject;
  const auto job = client.get(client::job_path(subject));
  if (job) return newest_run(subject, client);
  if (job.error().kind != Problem::Kind::kNotFound) return fail(job.error());
  if (looks_like_run(subject)) return find_run(subject, client);
  return fail(with_suggestion(job.error(), subject, client));
}

// What a run wrote, and with --follow what it writes until it ends. A long output loses its middle;
// then new lines cannot be told from old ones, and all of it is shown again.
Answer<int> show_log(const LogAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(id, run_meant(ask.subject, *client));
  std::string shown;
  for (bool first = true;; first = false) {
    BELFRY_TRY(run, client->get(client::path_of("runs", id)));
    const bool last = !ask.follow || is_over(field(run, "state"));
    const auto log = output_of(id, ask.attempt, *client);
    if (!log && (last || log.error().kind != Problem::Kind::kNotFound)) return fail(log.error());
    if (log && last && !session.is_table()) session.print(*log);
    if (log && session.is_table()) {
      const std::string text = log->value("log", "");
      const std::size_t from = text.starts_with(shown) ? shown.size() : 0;
      const std::string added = text.substr(from);
      session.out() << clean_lines(first && ask.lines > 0 ? last_lines(added, ask.lines) : added)
                    << std::flush;
      shown = text;
    }
    if (last) return int{kOk};
    client::wait(std::chrono::seconds(1));
  }
}

void add_log(const Program& program, Command& parent, const std::string& name) {
  const auto ask = std::make_shared<LogAsk>();
  Command& command = program.verb(parent, name, "the output of a run, also while it runs",
                                  [ask](Session& session) { return show_log(*ask, session); });
  command.option("job|run", ask->subject, "a job, for its newest run; or the id of a run")
      .required()
      .proposes(Proposal::kJob);
  command.option("--attempt", ask->attempt, "of this attempt (default: the last)").type("N");
  command.option("-n,--lines", ask->lines, "only the last lines (default: all)");
  command.flag("-f,--follow", ask->follow, "follow the output until the run ends");
  command.alias(name == "log" ? "logs" : "log");
  command.examples({command.path() + " backup", command.path() + " backup -f",
                    command.path() + " 0000000000012a3b000643f1c2a80000 --attempt 1"});
}

}  // namespace

void add_log_verbs(const Program& program, Command& runs) {
  add_log(program, runs, "log");
  add_log(program, program.root(), "logs");
}

}  // namespace belfry::cli
