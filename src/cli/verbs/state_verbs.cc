#include "cli/bulk/bulk_ask.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/time_argument.h"
#include "cli/verbs/job_flags.h"

#include <algorithm>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr std::size_t kShown = 10;

struct StateAsk {
  std::string action;  // pause, resume, cancel
  std::vector<std::string> names;
  BulkSelection selection;
  std::string until;
  std::string note;
  std::string ready_runs;
  bool dry_run = false;
};

// The server does it. A selection leaves out those already in that state.
Answer<int> change_selected(const StateAsk& ask, Json arguments, Session& session) {
  BulkSelection selection = ask.selection;
  if (ask.action == "pause" && selection.status.empty()) selection.status = "active";
  if (ask.action == "resume" && selection.status.empty()) selection.status = "paused";
  Json body = std::move(arguments);
  body["action"] = ask.action;
  body["selector"] = selection.to_selector();
  return do_in_bulk({.path = "/api/v1/jobs:bulk",
                     .verb = ask.action,
                     .what = "job",
                     .body = std::move(body),
                     .dry_run = ask.dry_run},
                    session);
}

// For more than one job, a person first sees what would be done.
Answer<bool> is_wanted(const StateAsk& ask, const Session& session) {
  const std::size_t count = ask.names.size();
  if (count <= 1) return true;
  session.say(ask.action + " " + counted(count, "job") + ":");
  for (std::size_t i = 0; i < std::min(count, kShown); ++i) {
    session.say("  " + clean(ask.names[i]));
  }
  if (count > kShown) session.say("  … and " + grouped(count - kShown) + " more");
  return session.confirm("Go on?");
}

void tell(const StateAsk& ask, const Json& job, const Session& session) {
  session.out() << painted("✓", Paint::kGood, session.look()) << ' '
                << clean(field(job, "job_name")) << ' '
                << (ask.action == "cancel" ? "cancelled" : ask.action + "d");
  if (ask.action == "pause" && !ask.until.empty()) {
    session.out() << " until " << field(job.value("paused", Json::object()), "until");
  }
  const std::string next = field(job, "next_scheduled_run");
  if (ask.action == "resume" && !next.empty()) session.out() << " · next " << next;
  session.out() << '\n';
}

Answer<int> change_named(const StateAsk& ask, const Json& body, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(wanted, is_wanted(ask, session));
  if (!wanted) return int{kOk};
  Json changed = Json::array();
  std::optional<Problem> first;
  for (const std::string& name : ask.names) {
    auto answer = client->post(client::job_path(name) + "/" + ask.action, body);
    if (!answer) {
      const Problem problem = with_options(with_suggestion(answer.error(), name, *client));
      if (ask.names.size() > 1) session.warn(clean(name) + ": " + problem.what);
      if (!first) first = problem;
    } else {
      if (session.is_table() && ask.names.size() <= kShown) tell(ask, *answer, session);
      changed.push_back(*std::move(answer));
    }
  }
  if (!session.is_table()) {
    session.print(ask.names.size() == 1 && !changed.empty() ? changed[0] : changed);
  }
  if (first && changed.empty()) return fail(*first);
  return first ? int{kPartial} : int{kOk};
}

Answer<int> change_state(const StateAsk& ask, Session& session) {
  Json body = Json::object();
  if (!ask.note.empty()) body["note"] = ask.note;
  if (!ask.ready_runs.empty()) body["ready_runs"] = ask.ready_runs;
  if (!ask.until.empty()) {
    std::string zone;  // of one job, its own; of several, this machine's
    if (ask.names.size() == 1 && is_wall_clock(ask.until)) {
      BELFRY_TRY(client, session.client());
      BELFRY_TRY(its, zone_of(ask.names.front(), *client));
      zone = std::move(its);
    }
    BELFRY_TRY(until, to_instant(ask.until, "--until", zone, session));
    body["until"] = until;
  }
  BELFRY_TRY(selected, is_selection(ask.names, ask.selection));
  if (selected) return change_selected(ask, std::move(body), session);
  return change_named(ask, body, session);
}

Command& add_state(const Program& program, const std::shared_ptr<StateAsk>& ask,
                   const std::string& action, const std::string& help) {
  ask->action = action;
  Command& command =
      program.verb(action, help, [ask](Session& session) { return change_state(*ask, session); });
  command.option("job", ask->names, "names or ids").proposes(Proposal::kJob);
  add_bulk_selection(command, ask->selection);
  command.flag("--dry-run", ask->dry_run, "of a selection, only show what would be done");
  return command;
}

}  // namespace

void add_state_verbs(const Program& program) {
  const auto ask = std::make_shared<StateAsk>();
  Command& pause = add_state(program, ask, "pause", "pause jobs: their ticks are skipped");
  pause.option("--until", ask->until, "resume by itself at this time").type("TIME");
  pause.option("-m,--note", ask->note, "the reason, for others to read").type("TEXT");
  pause.examples({"belfry pause backup", "belfry pause backup --until +2h -m 'disk is replaced'",
                  "belfry pause -l team=data --until '2027-03-09 07:00'"});
  add_state(program, std::make_shared<StateAsk>(), "resume", "resume paused jobs")
      .examples({"belfry resume backup", "belfry resume -l team=data"});
  const auto cancel = std::make_shared<StateAsk>();
  Command& command = add_state(program, cancel, "cancel", "cancel jobs for good");
  add_ready_runs(command, cancel->ready_runs);
  command.examples({"belfry cancel backup", "belfry cancel --prefix old- --ready-runs cancel"});
}

}  // namespace belfry::cli
