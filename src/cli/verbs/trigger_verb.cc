#include "base/text/duration_text.h"
#include "cli/bulk/bulk_ask.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/run_text.h"
#include "cli/text/text.h"
#include "cli/verbs/job_flags.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

using std::chrono::milliseconds;

struct TriggerAsk {
  std::string job;
  BulkSelection selection;
  std::string payload;
  bool wait = false;
  std::string timeout = "1h";
};

Problem waited_too_long(const Json& run, const std::string& timeout) {
  const std::string id = field(run, "run_id");
  const bool unclaimed = field(run, "state") == "READY";
  return {Problem::Kind::kTimedOut, "the run is not over after " + timeout,
          unclaimed ? "no worker of type `" + field(run, "job_type") + "` has claimed it"
                    : "it is " + field(run, "state") + "; it goes on without us",
          "look at it with `belfry runs get " + id + "`, or raise --timeout"};
}

// A node that restarts is not a reason to give up on a run.
bool is_passing(const Problem& problem) {
  return problem.kind == Problem::Kind::kUnreachable || problem.kind == Problem::Kind::kTimedOut;
}

// Asks again, less and less often, until the run is over.
Answer<Json> await_end(client::Client& client, Json run, Duration longest,
                       const std::string& timeout, const Session& session) {
  const Clock& clock = session.terminal().clock;
  const BootInstant deadline = clock.boot_now() + longest;
  Duration pause = milliseconds(50);
  bool told = false;
  const BootInstant patience = clock.boot_now() + std::chrono::seconds(3);
  while (!is_over(field(run, "state"))) {
    const Duration left = deadline - clock.boot_now();
    if (left <= Duration::zero()) return fail(waited_too_long(run, timeout));
    client::wait(std::min(pause, left));
    pause = std::min<Duration>(pause * 3 / 2, milliseconds(1'000));
    auto again = client.get(client::path_of("runs", field(run, "run_id")));
    if (!again && is_passing(again.error())) continue;  // the run goes on, and so do we
    if (!again) return fail(again.error());
    run = *std::move(again);
    if (!told && field(run, "state") == "READY" && clock.boot_now() > patience) {
      session.say("waiting for a worker of type `" + clean(field(run, "job_type")) + "`");
      told = true;
    }
  }
  return run;
}

Answer<int> trigger_selected(const TriggerAsk& ask, Session& session) {
  if (ask.wait || !ask.payload.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "a selection has neither --wait nor --payload"));
  }
  return do_in_bulk({.path = "/api/v1/jobs:bulk",
                     .verb = "run",
                     .what = "job",
                     .body = {{"action", "trigger"}, {"selector", ask.selection.to_selector()}}},
                    session);
}

Answer<int> trigger(const TriggerAsk& ask, Session& session) {
  std::vector<std::string> names;
  if (!ask.job.empty()) names.push_back(ask.job);
  BELFRY_TRY(selected, is_selection(names, ask.selection));
  if (selected) return trigger_selected(ask, session);
  const auto longest = parse_duration(ask.timeout);
  if (!longest) {
    return fail(Problem(Problem::Kind::kInvalid, "--timeout: " + to_string(longest.error())));
  }
  Json body = Json::object();
  if (!ask.payload.empty()) {
    BELFRY_TRY(payload, read_payload(ask.payload, session));
    body["payload"] = std::move(payload);
  }
  BELFRY_TRY(client, session.client());
  auto started = client->post_keyed(client::job_path(ask.job, "/trigger"), body);
  if (!started) return fail(with_suggestion(started.error(), ask.job, *client));
  Json run = *std::move(started);
  if (ask.wait) {
    session.say("run " + field(run, "run_id"));
    BELFRY_TRY(ended, await_end(*client, std::move(run), *longest, ask.timeout, session));
    run = std::move(ended);
  }
  if (!session.is_table()) {
    session.print(run);
  } else if (ask.wait) {
    print_outcome(run, session);
  } else {
    session.out() << field(run, "run_id") << '\n';
    session.say("follow it:  belfry runs get " + field(run, "run_id"));
  }
  const bool failed = ask.wait && field(run, "state") != "SUCCEEDED";
  return failed ? int{kDifferent} : int{kOk};
}

}  // namespace

void add_trigger_verb(const Program& program) {
  const auto ask = std::make_shared<TriggerAsk>();
  Command& command = program.verb("run", "run a job now",
                                  [ask](Session& session) { return trigger(*ask, session); });
  command.option("job", ask->job, "its name or id").proposes(Proposal::kJob);
  add_bulk_selection(command, ask->selection);
  command.option("--payload", ask->payload, "payload instead of the job's").type("JSON|@FILE");
  command.flag("--wait", ask->wait, "wait until it is over; the exit code is its outcome");
  command.option("--timeout", ask->timeout, "with --wait: no longer than this (default: 1h)")
      .type("DURATION");
}

}  // namespace belfry::cli
