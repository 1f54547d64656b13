#include "cli/bulk/bulk_ask.h"
#include "cli/files/yaml.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/run_text.h"
#include "cli/text/text.h"
#include "cli/text/typed_words.h"
#include "cli/text/when.h"
#include "cli/verbs/job_flags.h"

#include <algorithm>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

std::vector<std::string> states() {
  return {"ready", "running", "retrying", "succeeded", "failed", "dead", "cancelled", "timed-out"};
}

struct RunListAsk {
  std::string job;
  std::string state;
  std::string from;
  std::string to;
  std::size_t limit = 50;
};

Answer<client::Query> query_of(const RunListAsk& ask, const Session& session) {
  client::Query query;
  if (!ask.state.empty()) {
    query.push_back({"state", as_api_word(ask.state)});
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

Answer<int> list_runs(const RunListAsk& ask, Session& session) {
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
                  const std::shared_ptr<RunListAsk>& ask) {
  Command& command = program.verb(parent, "list", help,
                                  [ask](Session& session) { return list_runs(*ask, session); });
  command.option("job", ask->job, "only runs of this job").proposes(Proposal::kJob);
  command.option("--from", ask->from, "only from this time on").type("TIME");
  command.option("--to", ask->to, "only before this time").type("TIME");
  command.option("--limit", ask->limit, "at most this many (default: 50)");
  command.alias("ls");
  return command;
}

void print_attempts(const Json& run, const Session& session) {
  const Json attempts = run.value("attempt_history", Json::array());
  if (attempts.empty()) return;
  session.out() << '\n';
  Table table({{"TRY", false, true},
               {"OUTCOME"},
               {"STARTED", false, false, 1},
               {"TOOK"},
               {"FENCE", false, true, 3},
               {"WORKER", true, false, 2},
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
  BELFRY_TRY(whole, find_run(id, *client));
  BELFRY_TRY(run, client->get(client::path_of("runs", whole)));
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

Answer<Json> act_on(const std::string& id, const std::string& action, const Json& body,
                    client::Client& client) {
  BELFRY_TRY(whole, find_run(id, client));
  const std::string path = client::path_of("runs", whole, "/" + action);
  auto done = action == "retry" ? client.post_keyed(path) : client.post(path, body);
  if (!done && done.error().code == "run_over") {
    Problem& problem = done.error();
    problem.what = "the run is over: " + problem.what;
    problem.why.clear();
    problem.fix = "run it again:  belfry runs retry " + id;
  }
  return done;
}

// The same call for each run; a failure does not stop the others from being tried.
Answer<int> each_run(const std::vector<std::string>& ids, const std::string& action,
                     Session& session, const Json& body = Json::object()) {
  BELFRY_TRY(client, session.client());
  Json done = Json::array();
  std::optional<Problem> first;
  for (const std::string& id : ids) {
    auto run = act_on(id, action, body, *client);
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
  command.examples({"belfry runs unstick 0000000000012a3b000643f1c2a80000 -m 'its host is gone'"});
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
  return act_on_all(action, as_api_word(ask.state), ask.job, session);
}

Command& add_each(const Program& program, Command& parent, const std::string& action,
                  const std::string& help) {
  const auto ask = std::make_shared<EachAsk>();
  Command& command = program.verb(parent, action, help, [ask, action](Session& session) {
    return act_on_runs(action, *ask, session);
  });
  command.option("run", ask->ids, "ids of runs").proposes(Proposal::kRun);
  command.option("--state", ask->state, "all runs in this state instead")
      .one_of(states())
      .type("STATE");
  command.option("--job", ask->job, "with --state: only this job's")
      .type("JOB")
      .proposes(Proposal::kJob);
  return command;
}

void add_dead_letters(const Program& program) {
  Command& dlq = program.noun("dlq", "dead letters, runs that were given up: list, retry");
  const auto dead = std::make_shared<RunListAsk>();
  dead->state = "DEAD";
  Command& listing = add_list(program, dlq, "list dead letters, the newest first", dead);
  listing.examples({"belfry dlq", "belfry dlq list backup --from -1d"});
  dlq.defaults_to(listing);
  const auto ask = std::make_shared<RetryAsk>();
  Command& retry = program.verb(dlq, "retry", "give dead letters new attempts",
                                [ask](Session& session) { return retry_dead(*ask, session); });
  retry.option("run", ask->ids, "ids of runs").proposes(Proposal::kRun);
  retry.option("--job", ask->job, "all dead letters of this job")
      .type("JOB")
      .proposes(Proposal::kJob);
  retry.flag("--all", ask->all, "all dead letters");
  retry.examples({"belfry dlq retry --job backup", "belfry dlq retry --all --yes"});
}

void add_get_run(const Program& program, Command& runs) {
  const auto id = std::make_shared<std::string>();
  Command& command = program.verb(runs, "get", "a run with its attempts",
                                  [id](Session& session) { return get_run(*id, session); });
  command.option("run", *id, "its id").required().proposes(Proposal::kRun);
  command.alias("show").alias("describe");
  command.examples({"belfry runs get 0000000000012a3b000643f1c2a80000"});
}

}  // namespace

void add_run_verbs(const Program& program) {
  Command& runs = program.noun("runs", "runs: list, get, log, cancel, unstick, retry");
  const auto ask = std::make_shared<RunListAsk>();
  Command& listing = add_list(program, runs, "list runs, the newest first", ask);
  listing.option("--state", ask->state, "only runs in this state: dead, running, …")
      .one_of(states())
      .type("STATE");
  listing.examples({"belfry runs", "belfry runs list backup --state dead",
                    "belfry runs list --from -2h --limit 100"});
  runs.defaults_to(listing);
  add_get_run(program, runs);
  add_log_verbs(program, runs);
  add_each(program, runs, "cancel", "cancel runs; a running one is told at its next heartbeat")
      .examples({"belfry runs cancel 0000000000012a3b000643f1c2a80000",
                 "belfry runs cancel --state ready --job backup"});
  add_unstick(program, runs);
  add_each(program, runs, "retry", "run them again")
      .examples({"belfry runs retry 0000000000012a3b000643f1c2a80000",
                 "belfry runs retry --state dead --job backup"});
  add_dead_letters(program);
}

}  // namespace belfry::cli
