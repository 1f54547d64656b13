#include "cli/bulk/bulk_ask.h"
#include "cli/files/yaml.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/preview_text.h"
#include "cli/text/text.h"
#include "cli/text/when.h"
#include "cli/verbs/job_editor.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

struct JobListAsk {
  JobFilter filter;
  std::size_t limit = 500;
  bool all = false;
};

Cell status_cell(const Json& job) {
  const std::string status = field(job, "status");
  if (status == "ACTIVE") return {"active", Paint::kGood};
  if (status == "PAUSED") return {"paused", Paint::kWarn};
  return {status == "CANCELLED" ? "cancelled" : "completed", Paint::kDim};
}

// How its last run ended, and for how many it has been like that.
Cell last_cell(const Session& session, const Json& job) {
  const auto last = job.find("last_run");
  if (last == job.end() || !last->is_object()) return {"-", Paint::kDim};
  const std::string state = field(*last, "state");
  const std::string at = when(session, *last, "finished_at");
  if (state == "SUCCEEDED") return {"ok " + at, Paint::kGood};
  if (state == "CANCELLED") return {"cancelled " + at, Paint::kDim};
  const auto failures = job.value("failures_in_a_row", std::int64_t{0});
  return {(failures > 1 ? "failed ×" + std::to_string(failures) : "failed") + " " + at,
          Paint::kBad};
}

std::string schedule_text(const Json& job) {
  const std::string type = field(job, "schedule_type");
  if (type == "EVERY") return "every " + field(job, "every");
  if (type == "ONCE") return "at " + field(job, "run_at");
  return field(job, "cron_expression");
}

std::string labels_text(const Json& job) {
  std::string text;
  const Json labels = job.value("labels", Json::object());
  for (const auto& [name, value] : labels.items()) {
    text += (text.empty() ? "" : ",") + name + "=" +
            (value.is_string() ? value.get<std::string>() : write_json(value));
  }
  return text;
}

Answer<int> list_jobs(const JobListAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  const std::size_t most = ask.all ? kAll : ask.limit;
  BELFRY_TRY(listing, list(*client, "/api/v1/jobs", to_query(ask.filter), most));
  if (!session.is_table()) {
    session.print(listing.items);
  } else {
    Table table({{"NAME", true},
                 {"STATUS"},
                 {"SCHEDULE", true},
                 {"ZONE", true, false, 2},
                 {"NEXT"},
                 {"LAST"},
                 {"TYPE", true, false, 3},
                 {"LABELS", true, false, 4}});
    for (const Json& job : listing.items) {
      const bool zoned = field(job, "schedule_type") == "CRON";
      table.row({{field(job, "job_name"), Paint::kBold},
                 status_cell(job),
                 {schedule_text(job)},
                 {zoned ? field(job, "timezone") : ""},
                 {when(session, job, "next_scheduled_run")},
                 last_cell(session, job),
                 {field(job, "job_type")},
                 {labels_text(job), Paint::kDim}});
    }
    if (!table.is_empty()) table.print(session.out(), session.look());
    if (table.is_empty()) {
      session.say(ask.filter.is_empty()
                      ? "no jobs yet; try:  belfry add hello --every 10s --exec 'echo hello'"
                      : "no job matches");
    }
  }
  if (listing.more) session.say("there are more: --limit N, or --all");
  return int{kOk};
}

Command& add_list(const Program& program, Command& parent, const std::string& name) {
  const auto ask = std::make_shared<JobListAsk>();
  Command& command = program.verb(parent, name, "list jobs",
                                  [ask](Session& session) { return list_jobs(*ask, session); });
  add_selector(command, ask->filter);
  command.option("text", ask->filter.text, "only names with this text in them")
      .proposes(Proposal::kJob);
  command.option("--status", ask->filter.status, "active, paused, cancelled or completed")
      .one_of({"active", "paused", "cancelled", "completed"})
      .type("STATUS");
  command.flag("--failing", ask->filter.failing, "only jobs whose last run failed");
  command.option("--type", ask->filter.type, "only jobs of this type")
      .type("WORD")
      .proposes(Proposal::kType);
  command.option("--limit", ask->limit, "at most this many (default: 500)");
  command.flag("--all", ask->all, "list all of them");
  command.alias(name == "ls" ? "list" : "ls");
  command.examples({command.path(), command.path() + " backup --failing",
                    command.path() + " -l env=prod -l team=data -o json"});
  return command;
}

Answer<int> get_job(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  const auto job = client->get(client::job_path(name));
  if (!job) return fail(with_suggestion(job.error(), name, *client));
  if (!session.is_table()) {
    session.print(*job);
    return int{kOk};
  }
  BELFRY_TRY(preview,
             client->get(client::job_path(field(*job, "job_id"), "/next"), {{"count", "3"}}));
  const Cell status = status_cell(*job);
  session.out() << painted(clean(field(*job, "job_name")), Paint::kBold, session.look()) << " · "
                << painted(status.text, status.paint, session.look()) << " · "
                << field(preview, "sentence") << " · " << field(preview, "timezone") << '\n';
  if (const auto paused = job->find("paused"); paused != job->end() && paused->is_object()) {
    session.out() << "  paused by " << clean(field(*paused, "by"));
    if (const std::string note = field(*paused, "note"); !note.empty()) {
      session.out() << " (\"" << clean(note) << "\")";
    }
    session.out() << ", until " << when(session, *paused, "until", "resumed") << '\n';
  }
  print_fires(preview, session);
  print_warnings(preview, session);
  session.out() << '\n' << clean_lines(to_yaml(*job));
  return int{kOk};
}

void add_get_job(const Program& program, Command& parent) {
  const auto name = std::make_shared<std::string>();
  Command& command = program.verb(parent, "get", "show a job",
                                  [name](Session& session) { return get_job(*name, session); });
  command.alias("describe").alias("show");
  command.examples({command.path() + " backup", command.path() + " backup -o yaml"});
  command.option("job", *name, "its name or id").required().proposes(Proposal::kJob);
}

struct RemoveAsk {
  std::vector<std::string> names;
  BulkSelection selection;
  std::string ready_runs;
  bool dry_run = false;
};

Answer<int> remove_selected(const RemoveAsk& ask, Session& session) {
  Json body{{"action", "delete"}, {"selector", ask.selection.to_selector()}};
  if (!ask.ready_runs.empty()) body["ready_runs"] = ask.ready_runs;
  return do_in_bulk({.path = "/api/v1/jobs:bulk",
                     .verb = "delete",
                     .what = "job",
                     .body = std::move(body),
                     .dry_run = ask.dry_run},
                    session);
}

Answer<int> remove_jobs(const RemoveAsk& ask, Session& session) {
  const std::vector<std::string>& names = ask.names;
  BELFRY_TRY(selected, is_selection(names, ask.selection));
  if (selected) return remove_selected(ask, session);
  BELFRY_TRY(client, session.client());
  for (const std::string& name : names) {  // make sure that all exist before the first is deleted
    const auto job = client->get(client::job_path(name));
    if (!job) return fail(with_suggestion(job.error(), name, *client));
  }
  const std::string what =
      names.size() == 1 ? "the job `" + names[0] + "`" : counted(names.size(), "job");
  const bool may_ask = session.terminal().screen.in_is_terminal;
  if (names.size() > 1 || may_ask) {
    BELFRY_TRY(yes, session.confirm("Delete " + what + "?"));
    if (!yes) return int{kOk};
  }
  std::size_t deleted = 0;
  for (const std::string& name : names) {
    client::Query query;
    if (!ask.ready_runs.empty()) query.push_back({"ready_runs", ask.ready_runs});
    const auto gone =
        client->call({.method = "DELETE", .path = client::job_path(name), .query = query});
    if (!gone) {
      if (deleted == 0) return fail(gone.error());
      Problem problem = gone.error();
      problem.what = name + ": " + problem.what;
      problem.kind = Problem::Kind::kPartial;
      return fail(std::move(problem));
    }
    ++deleted;
    session.say("deleted " + clean(name));
  }
  return int{kOk};
}

void add_remove(const Program& program, Command& parent) {
  const auto ask = std::make_shared<RemoveAsk>();
  Command& command = program.verb(parent, "rm", "delete jobs",
                                  [ask](Session& session) { return remove_jobs(*ask, session); });
  command.option("job", ask->names, "names or ids").proposes(Proposal::kJob);
  add_bulk_selection(command, ask->selection);
  add_ready_runs(command, ask->ready_runs);
  command.flag("--dry-run", ask->dry_run, "of a selection, only show what would be done");
  command.alias("delete").alias("remove");
  command.examples({command.path() + " backup", command.path() + " -l env=test --dry-run"});
}

void add_edit(const Program& program, Command& parent) {
  struct EditAsk {
    std::string name;
    JobFlags flags;
  };
  const auto ask = std::make_shared<EditAsk>();
  Command& command =
      program.verb(parent, "edit", "change a job: by flags, or in an editor ($EDITOR)",
                   [ask](Session& session) { return edit_job(ask->name, ask->flags, session); });
  command.option("job", ask->name, "its name or id").required().proposes(Proposal::kJob);
  add_job_flags(command, ask->flags);
  command.alias("update");
  command.examples({command.path() + " backup", command.path() + " backup --cron '0 3 * * *'",
                    command.path() + " hook --header 'Accept: application/json' --timeout 10s"});
}

}  // namespace

void add_job_verbs(const Program& program) {
  Command& jobs = program.noun("jobs", "jobs: list, get, edit, rm");
  jobs.defaults_to(add_list(program, jobs, "list"));
  for (Command* parent : {&jobs, &program.root()}) {
    add_get_job(program, *parent);
    add_edit(program, *parent);
    add_remove(program, *parent);
  }
  add_list(program, program.root(), "ls");
}

}  // namespace belfry::cli
