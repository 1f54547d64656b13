#include "cli/bulk/bulk_ask.h"
#include "cli/files/yaml.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/run_text.h"
#include "cli/text/text.h"
#include "cli/text/when.h"
#include "cli/verbs/job_flags.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

struct ListAsk {
  std::string job;
  std::string state;
  std::string from;
  std::string to;
  std::size_t limit = 50;
};

// `timed-out` is TIMED_OUT.
std::string in_capitals(std::string state) {
  std::transform(state.begin(), state.end(), state.begin(),
                 [](char c) { return c == '-' ? '_' : static_cast<char>(std::toupper(c)); });
  return state;
}

Answer<client::Query> query_of(const ListAsk& ask, const Session& session) {
  client::Query query;
  if (!ask.state.empty()) {
    query.push_back({"state", in_capitals(ask.state)});
  }
  if (!ask.from.empty()) {
    BELFRY_TRY(from, to_instant(ask.from, "--from", "", session));
    query.push_back({"from", from});
  }
  if (!ask.to.empty()) {
    BELFRY_TRY(to, to_instant(ask.to, "--to", "", session));
    query.push_back({"to", to});
  }
  return query;
}

Answer<int> list_runs(const ListAsk& ask, Session& session) {
  BELFRY_TRY(query, query_of(ask, session));
  BELFRY_TRY(client, session.client());
  const std::string path = ask.job.empty() ? "/api/v1/runs" : client::job_path(ask.job, "/runs");
  auto listing = list(*client, path, std::move(query), ask.limit);
  if (!listing) {
    return fail(ask.job.empty() ? listing.error()
                                : with_suggestion(listing.error(), ask.job, *client));
  }
  if (session.is_table()) {
    print_runs(listing->items, session);
  } else {
    session.print(listing->items);
  }
  if (listing->more) session.say("there are more: --limit N");
  return int{kOk};
}

Command& add_list(const Program& program, Command& parent, const std::string& help,
                  const std::shared_ptr<ListAsk>& ask) {
  Command& command = program.verb(parent, "list", help,
                                  [ask](Session& session) { return list_runs(*ask, session); });
  command.option("job", ask->job, "only runs of this job").proposes(Proposal::kJob);
  command.option("--from", ask->from, "only from this time on").type("TIME");
  command.option("--to", ask->to, "only before this time").type("TIME");
  command.option("--limit", ask->limit, "at most this many (default: 50)").type("N");
  return command;
}

void print_attempts(const Json& run, const Session& session) {
  const Json attempts = run.value("attempt_history", Json::array());
  if (attempts.empty()) return;
  session.out() << '\n';
  Table table({{"TRY", false, true},
               {"OUTCOME"},
               {"STARTED"},
               {"TOOK"},
               {"FENCE", false, true},
               {"WORKER", true},
               {"ERROR", true}});
  for (const Json& attempt : attempts) {
    table.row({{field(attempt, "attempt")},
               {field(attempt, "outcome"), paint_of(field(attempt, "outcome"))},
               {when(session, attempt, "started_at")},
               {field(attempt, "duration")},
               {field(attempt, "fence")},
               {field(attempt, "worker")},
               {field(attempt, "error"), Paint::kBad}});
  }
  table.print(session.out(), session.look());
}

Answer<int> get_run(const std::string& id, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(run, client->get(client::path_of("runs", id)));
  if (!session.is_table()) {
    session.print(run);
    return int{kOk};
  }
  print_outcome(run, session);
  Json facts = run;
  facts.erase("attempt_history");
  session.out() << '\n' << clean_lines(to_yaml(facts));
  print_attempts(run, session);
  return int{kOk};
}

struct LogAsk {
  std::string id;
  std::string attempt;
  bool follow = false;
};

// What a run wrote, and with --follow what it writes until it ends. A long output loses its middle;
// then new lines cannot be told from old ones, and all of it is shown again.
Answer<int> show_log(const LogAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  client::Query query;
  if (!ask.attempt.empty()) query.push_back({"attempt", ask.attempt});
  std::string shown;
  for (;;) {
    BELFRY_TRY(run, client->get(client::path_of("runs", ask.id)));
    const bool last = !ask.follow || is_over(field(run, "state"));
    const auto log = client->get(client::path_of("runs", ask.id, "/log"), query);
    if (!log && (last || log.error().kind != Problem::Kind::kNotFound)) return fail(log.error());
    if (log && last && !session.is_table()) session.print(*log);
    if (log && session.is_table()) {
      const std::string text = log->value("log", "");
      const std::size_t from = text.starts_with(shown) ? shown.size() : 0;
      session.out() << clean_lines(text.substr(from)) << std::flush;
      shown = text;
    }
    if (last) return int{kOk};
    client::wait(std::chrono::seconds(1));
  }
}

void add_log(const Program& program, Command& parent) {
  const auto ask = std::make_shared<LogAsk>();
  Command& command = program.verb(parent, "log", "the output of a run, also while it runs",
                                  [ask](Session& session) { return show_log(*ask, session); });
  command.option("run", ask->id, "its id").required().proposes(Proposal::kRun);
  command.option("--attempt", ask->attempt, "of this attempt (default: the last)").type("N");
  command.flag("-f,--follow", ask->follow, "follow the output until the run ends");
}

// The same call for each run; a failure does not stop the others from being tried.
Answer<int> each_run(const std::vector<std::string>& ids, const std::string& action,
                     Session& session, const Json& body = Json::object()) {
  BELFRY_TRY(client, session.client());
  Json done = Json::array();
  std::optional<Problem> first;
  for (const std::string& id : ids) {
    const std::string path = client::path_of("runs", id, "/" + action);
    auto run = action == "retry" ? client->post_keyed(path) : client->post(path, body);
    if (!run) {
      if (ids.size() > 1) session.warn(clean(id + ": " + run.error().what));
      if (!first) first = run.error();
      continue;
    }
    if (session.is_table())
      session.out() << field(*run, "run_id") << "  " << field(*run, "state") << '\n';
    done.push_back(*std::move(run));
  }
  if (!session.is_table()) session.print(done);
  if (first && done.empty()) return fail(*first);
  return first ? int{kPartial} : int{kOk};
}

void add_unstick(const Program& program, Command& runs) {
  struct Unstick {
    std::vector<std::string> ids;
    std::string note;
  };
  const auto ask = std::make_shared<Unstick>();
  Command& command = program.verb(
      runs, "unstick", "take running runs from workers that do not let go",
      [ask](Session& session) {
        const Json body = ask->note.empty() ? Json::object() : Json{{"note", ask->note}};
        return each_run(ask->ids, "unstick", session, body);
      });
  command.option("run", ask->ids, "ids of runs").required().proposes(Proposal::kRun);
  command.option("-m,--note", ask->note, "why; kept in the audit").type("TEXT");
}

struct RetryAsk {
  std::vector<std::string> ids;
  std::string job;
  bool all = false;
};

// All runs in a state, of one job or of all; the server acts on them.
Answer<int> act_on_all(const std::string& action, const std::string& state, const std::string& job,
                       Session& session) {
  BELFRY_TRY(client, session.client());
  Json selector{{"state", state}};
  if (!job.empty()) {
    const auto found = client->get(client::job_path(job));
    if (!found) return fail(with_suggestion(found.error(), job, *client));
    selector["job_id"] = field(*found, "job_id");
  }
  return do_in_bulk({.path = "/api/v1/runs:bulk",
                     .verb = action,
                     .what = "run",
                     .body = {{"action", action}, {"selector", std::move(selector)}}},
                    session);
}

Answer<int> retry_dead(const RetryAsk& ask, Session& session) {
  if (!ask.ids.empty()) return each_run(ask.ids, "retry", session);
  if (!ask.all && ask.job.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "which dead letters?", "",
                        "name runs, or give --job JOB or --all"));
  }
  return act_on_all("retry", "DEAD", ask.job, session);
}

struct EachAsk {
  std::vector<std::string> ids;
  std::string state;
  std::string job;
};

Answer<int> act_on_runs(const std::string& action, const EachAsk& ask, Session& session) {
  if (ask.ids.empty() == ask.state.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "which runs?", "",
                        "name them, or give --state STATE, with --job JOB or without"));
  }
  if (!ask.ids.empty()) return each_run(ask.ids, action, session);
  return act_on_all(action, in_capitals(ask.state), ask.job, session);
}

void add_each(const Program& program, Command& parent, const std::string& action,
              const std::string& help) {
  const auto ask = std::make_shared<EachAsk>();
  Command& command = program.verb(parent, action, help, [ask, action](Session& session) {
    return act_on_runs(action, *ask, session);
  });
  command.option("run", ask->ids, "ids of runs").proposes(Proposal::kRun);
  command.option("--state", ask->state, "all runs in this state instead").type("STATE");
  command.option("--job", ask->job, "with --state: only this job's")
      .type("JOB")
      .proposes(Proposal::kJob);
}

void add_dead_letters(const Program& program) {
  Command& dlq = program.noun("dlq", "dead letters, runs that were given up: list, retry");
  const auto dead = std::make_shared<ListAsk>();
  dead->state = "DEAD";
  add_list(program, dlq, "list dead letters, the newest first", dead);
  const auto ask = std::make_shared<RetryAsk>();
  Command& retry = program.verb(dlq, "retry", "give dead letters new attempts",
                                [ask](Session& session) { return retry_dead(*ask, session); });
  retry.option("run", ask->ids, "ids of runs").proposes(Proposal::kRun);
  retry.option("--job", ask->job, "all dead letters of this job")
      .type("JOB")
      .proposes(Proposal::kJob);
  retry.flag("--all", ask->all, "all dead letters");
}

}  // namespace

void add_run_verbs(const Program& program) {
  Command& runs = program.noun("runs", "runs: list, get, log, cancel, unstick, retry");
  const auto ask = std::make_shared<ListAsk>();
  Command& command = add_list(program, runs, "list runs, the newest first", ask);
  command.option("--state", ask->state, "only runs in this state: dead, running, …").type("STATE");
  const auto id = std::make_shared<std::string>();
  program
      .verb(runs, "get", "a run with its attempts",
            [id](Session& session) { return get_run(*id, session); })
      .option("run", *id, "its id")
      .required()
      .proposes(Proposal::kRun);
  add_log(program, runs);
  add_each(program, runs, "cancel", "cancel runs; a running one is told at its next heartbeat");
  add_unstick(program, runs);
  add_each(program, runs, "retry", "run them again");
  add_dead_letters(program);
}

}  // namespace belfry::cli
