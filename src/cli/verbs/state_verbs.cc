#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/progress.h"
#include "cli/text/text.h"
#include "cli/verbs/job_flags.h"

#include <algorithm>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr std::size_t kMostAtOnce = 1'000'000;
constexpr std::size_t kExamples = 10;

struct StateAsk {
  std::string action;  // pause, resume, cancel
  std::vector<std::string> names;
  JobFilter filter;
  bool all = false;
  std::string until;
  std::string note;
};

// The jobs that are meant, by id and name. A selection leaves out those already in that state.
struct Meant {
  std::string path;
  std::string name;
};

Answer<std::vector<Meant>> jobs_meant(StateAsk ask, client::Client& client) {
  std::vector<Meant> jobs;
  if (!ask.names.empty() && (!ask.filter.is_empty() || ask.all)) {
    return fail(Problem(Problem::Kind::kInvalid, "names cannot be combined with -l or --all", "",
                        "name the jobs, or select them"));
  }
  for (const std::string& name : ask.names) jobs.push_back({client::job_path(name), name});
  if (!jobs.empty()) return jobs;
  if (ask.filter.is_empty() && !ask.all) {
    return fail(Problem(Problem::Kind::kInvalid, "which jobs?", "",
                        "name them, or give -l KEY=VALUE or --all"));
  }
  if (ask.action == "pause") ask.filter.status = "active";
  if (ask.action == "resume") ask.filter.status = "paused";
  BELFRY_TRY(listing, list(client, "/api/v1/jobs", to_query(ask.filter), kMostAtOnce));
  for (const Json& job : listing.items) {
    jobs.push_back({client::job_path(field(job, "job_id")), field(job, "job_name")});
  }
  return jobs;
}

// For more than one job, a person first sees what would be done.
Answer<bool> is_wanted(const StateAsk& ask, const std::vector<Meant>& jobs,
                       const Session& session) {
  if (jobs.size() <= 1 && !ask.names.empty()) return true;
  if (jobs.empty()) {
    session.say("no job to " + ask.action);
    return false;
  }
  session.say(ask.action + " " + counted(jobs.size(), "job") + ":");
  for (std::size_t i = 0; i < std::min(jobs.size(), kExamples); ++i) {
    session.say("  " + clean(jobs[i].name));
  }
  if (jobs.size() > kExamples) session.say("  … and " + grouped(jobs.size() - kExamples) + " more");
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

Answer<int> change_state(const StateAsk& ask, Session& session) {
  Json body = Json::object();
  if (!ask.note.empty()) body["note"] = ask.note;
  if (!ask.until.empty()) {
    BELFRY_TRY(until, to_instant(ask.until, "--until", "", session));
    body["until"] = until;
  }
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(jobs, jobs_meant(ask, *client));
  BELFRY_TRY(wanted, is_wanted(ask, jobs, session));
  if (!wanted) return int{kOk};
  Progress progress(session, ask.action, jobs.size());
  Json changed = Json::array();
  std::optional<Problem> first;
  for (const Meant& job : jobs) {
    auto answer = client->post(job.path + "/" + ask.action, body);
    if (!answer) {
      const Problem problem = with_suggestion(answer.error(), job.name, *client);
      if (jobs.size() > 1) session.warn(clean(job.name) + ": " + problem.what);
      if (!first) first = problem;
    } else {
      if (session.is_table() && jobs.size() <= kExamples) tell(ask, *answer, session);
      changed.push_back(*std::move(answer));
    }
    progress.advance(1);
  }
  progress.finish();
  if (!session.is_table())
    session.print(jobs.size() == 1 && !changed.empty() ? changed[0] : changed);
  if (first && changed.empty()) return fail(*first);
  return first ? int{kPartial} : int{kOk};
}

CLI::App& add_state(const Program& program, const std::shared_ptr<StateAsk>& ask,
                    const std::string& action, const std::string& help) {
  ask->action = action;
  CLI::App& command =
      program.verb(action, help, [ask](Session& session) { return change_state(*ask, session); });
  command.add_option("job", ask->names, "names or ids");
  add_selector(command, ask->filter);
  command.add_flag("--all", ask->all, "all jobs");
  return command;
}

}  // namespace

void add_state_verbs(const Program& program) {
  const auto ask = std::make_shared<StateAsk>();
  CLI::App& pause = add_state(program, ask, "pause", "pause jobs: their ticks are skipped");
  pause.add_option("--until", ask->until, "resume by itself at this time")->type_name("TIME");
  pause.add_option("-m,--note", ask->note, "the reason, for others to read")->type_name("TEXT");
  add_state(program, std::make_shared<StateAsk>(), "resume", "resume paused jobs");
  add_state(program, std::make_shared<StateAsk>(), "cancel", "cancel jobs for good");
}

}  // namespace belfry::cli
