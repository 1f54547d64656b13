#include "cli/files/batch.h"
#include "cli/files/file_diff.h"
#include "cli/files/manifest.h"
#include "cli/frame/lookup.h"
#include "cli/frame/store_ask.h"
#include "cli/frame/verbs.h"
#include "cli/text/progress.h"
#include "cli/text/text.h"
#include "cli/verbs/job_warnings.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

struct FilesAsk {
  std::vector<std::string> names;
  JobFilter filter;
  bool prune = false;
  bool dry_run = false;
  bool all = false;
  StoreAsk whole;  // with `all`
};

Answer<std::vector<Json>> read_jobs(const FilesAsk& ask, const Session& session) {
  std::vector<std::string> names = ask.names;
  if (names.empty()) names.emplace_back("-");
  if (names == std::vector<std::string>{"-"} && session.terminal().screen.in_is_terminal) {
    return fail(Problem(Problem::Kind::kInvalid, "no files were named", "",
                        "name them: -f jobs.yaml, a folder, or - for stdin"));
  }
  BELFRY_TRY(files, read_files(names, {{".yaml", ".yml", ".json"}, FolderFiles::Below::kFolders},
                               session));
  BELFRY_TRY(jobs, read_manifest(files));
  return jobs;
}

bool has_label(const Json& job, const std::string& label) {
  const std::size_t equals = label.find('=');
  const Json labels = job.value("labels", Json::object());
  const auto found = labels.find(label.substr(0, equals));
  return found != labels.end() && *found == label.substr(equals + 1);
}

// A job outside the selection would never be pruned, or would be pruned by somebody else's files.
Answer<void> check_prune(const FilesAsk& ask, const std::vector<Json>& jobs) {
  if (!ask.prune) return {};
  if (ask.filter.labels.empty()) {
    return fail(Problem(Problem::Kind::kInvalid,
                        "--prune needs to know which jobs belong to the files",
                        "it deletes what the files do not have",
                        "mark them with a label, and give --selector KEY=VALUE"));
  }
  if (jobs.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "there is no job in the files",
                        "--prune would delete all that the selector finds",
                        "name the right files; `belfry rm` deletes jobs"));
  }
  for (const Json& job : jobs) {
    for (const std::string& label : ask.filter.labels) {
      if (has_label(job, label)) continue;
      return fail(Problem(Problem::Kind::kInvalid,
                          "the job `" + field(job, "job_name") + "` has no label " + label, "",
                          "add it to the file's `defaults: labels:`"));
    }
  }
  return {};
}

Answer<int> diff(const FilesAsk& ask, Session& session) {
  BELFRY_TRY(jobs, read_jobs(ask, session));
  BELFRY_CHECK(check_prune(ask, jobs));
  BELFRY_TRY(client, session.client());
  BELFRY_CHECK(send_jobs(*client, jobs, {.dry_run = true}, session));
  const auto labels = ask.prune ? ask.filter.labels : std::vector<std::string>();
  BELFRY_TRY(diffs, diff_files(*client, jobs, labels, session));
  if (session.is_table()) {
    print_diff(diffs, session);
  } else {
    session.print(to_json(diffs));
  }
  const bool same = std::all_of(diffs.begin(), diffs.end(), [](const JobDiff& each) {
    return each.kind == JobDiff::Kind::kSame;
  });
  return same ? int{kOk} : int{kDifferent};
}

void print_items(const BatchResult& result, const Session& session) {
  for (const Json& item : result.items) {
    const std::string outcome = field(item, "outcome");
    if (outcome == "CREATED") {
      session.out() << painted("+", Paint::kGood, session.look()) << " created  ";
    } else if (outcome == "REPLACED") {
      session.out() << painted("~", Paint::kWarn, session.look()) << " changed  ";
    } else {
      continue;
    }
    session.out() << clean(field(item, "job_name")) << '\n';
  }
}

// Returns how many were deleted; stops at the first that was not, and says so in the result.
std::uint64_t prune(client::Client& client, const std::vector<std::string>& names,
                    const Session& session, BatchResult& result) {
  Progress progress(session, "jobs deleted", names.size());
  std::uint64_t deleted = 0;
  for (const std::string& name : names) {
    const auto gone = client.call({.method = "DELETE", .path = client::job_path("name:" + name)});
    if (!gone && gone.error().kind != Problem::Kind::kNotFound) {
      result.problem = gone.error();
      break;
    }
    ++deleted;
    if (session.is_table()) {
      session.out() << painted("-", Paint::kBad, session.look()) << " deleted  " << clean(name)
                    << '\n';
    }
    progress.advance(1);
  }
  progress.finish();
  return deleted;
}

Answer<int> finish_apply(const BatchResult& result, std::uint64_t deleted, const Session& session) {
  if (!session.is_table()) {
    session.print({{"created", result.created},
                   {"replaced", result.replaced},
                   {"unchanged", result.unchanged},
                   {"deleted", deleted},
                   {"items", result.items}});
  }
  session.say(grouped(result.created) + " created, " + grouped(result.replaced) + " changed, " +
              grouped(result.unchanged) + " unchanged, " + grouped(deleted) + " deleted");
  if (!result.problem) return int{kOk};
  Problem problem = *result.problem;
  problem.kind = Problem::Kind::kPartial;
  problem.fix = "what is counted above was done; correct the rest and apply again";
  return fail(std::move(problem));
}

Answer<int> apply(const FilesAsk& ask, Session& session) {
  if (ask.dry_run) return diff(ask, session);
  BELFRY_TRY(jobs, read_jobs(ask, session));
  BELFRY_CHECK(check_prune(ask, jobs));
  BELFRY_TRY(client, session.client());
  std::vector<std::string> gone;
  if (ask.prune) {
    BELFRY_TRY(names, surplus(*client, jobs, ask.filter.labels));
    gone = std::move(names);
  }
  if (!gone.empty()) {
    session.say("the files do not have:");
    for (std::size_t i = 0; i < std::min<std::size_t>(gone.size(), 10); ++i) {
      session.say("  " + clean(gone[i]));
    }
    BELFRY_TRY(yes, session.confirm("Delete " + counted(gone.size(), "job") + "?"));
    if (!yes) return int{kOk};
  }
  BELFRY_TRY(result, send_jobs(*client, jobs, {}, session));
  if (session.is_table()) print_items(result, session);
  warn_of_targets(*client, changed_jobs(jobs, result), session);
  std::uint64_t deleted = 0;
  if (!result.problem) deleted = prune(*client, gone, session, result);
  return finish_apply(result, deleted, session);
}

// Jobs that are over (cancelled, or without a tick left) are left out: applying one would bring it
// back, or be refused.
Answer<std::vector<std::string>> paths_to_export(const FilesAsk& ask, client::Client& client,
                                                 const Session& session) {
  std::vector<std::string> paths;
  for (const std::string& name : ask.names) {
    const auto job = client.get(client::job_path(name));
    if (!job) return fail(with_suggestion(job.error(), name, client));
    paths.push_back(client::job_path(field(*job, "job_id")));
  }
  if (!paths.empty()) return paths;
  BELFRY_TRY(listing, list(client, "/api/v1/jobs", to_query(ask.filter), kAll));
  for (const Json& job : listing.items) {
    const std::string status = field(job, "status");
    if (status != "ACTIVE" && status != "PAUSED") continue;
    paths.push_back(client::job_path(field(job, "job_id")));
  }
  if (const std::size_t over = listing.items.size() - paths.size(); over > 0) {
    session.say("left out: " + counted(over, "job") + " that are over (cancelled or completed)");
  }
  return paths;
}

Answer<int> export_all(const FilesAsk& ask, const Upkeep& upkeep, const Session& session) {
  if (!ask.names.empty() || !ask.filter.labels.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "--all is all of the store", "",
                        "leave out the jobs and the labels, or --all"));
  }
  BELFRY_TRY(task, task_on(ask.whole, config::UpkeepOptions::Task::kExport, session));
  return upkeep(task);
}

Answer<int> export_jobs(const FilesAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(paths, paths_to_export(ask, *client, session));
  BELFRY_TRY(types, types_of(*client));
  Progress progress(session, "jobs read", paths.size());
  std::vector<Json> jobs;
  for (const std::string& path : paths) {  // lists come without target and payload
    BELFRY_TRY(job, client->call({.path = path, .keeping = "/payload"}));
    jobs.push_back(written(job.body, types));
    progress.advance(1);
  }
  progress.finish();
  if (session.is_json()) {
    session.print({{"version", "v1"}, {"jobs", jobs}});
  } else {
    session.out() << write_manifest(jobs);
  }
  return int{kOk};
}

void add_files(Command& command, FilesAsk& ask) {
  command.option("-f,--file,file", ask.names, "files or folders; - is stdin (also without -f)")
      .type("FILE")
      .proposes(Proposal::kFile);
  command.flag("--prune", ask.prune, "delete jobs that match --selector and are not in the files");
  add_selector(command, ask.filter);
}

}  // namespace

void add_file_verbs(const Program& program, const Upkeep& upkeep) {
  const auto compared = std::make_shared<FilesAsk>();
  Command& differ = program.verb("diff", "what `apply` would change, and the fires gained and lost",
                                 [compared](Session& session) { return diff(*compared, session); });
  add_files(differ, *compared);
  differ.examples({"belfry diff jobs.yaml", "belfry diff jobs/ --prune -l set=billing"});
  const auto applied = std::make_shared<FilesAsk>();
  Command& command = program.verb("apply", "make the server's jobs match the files",
                                  [applied](Session& session) { return apply(*applied, session); });
  add_files(command, *applied);
  command.flag("--dry-run", applied->dry_run, "change nothing; the same as `diff`");
  command.examples({"belfry apply jobs.yaml", "belfry apply -f jobs/ --prune -l set=billing"});
  const auto exported = std::make_shared<FilesAsk>();
  Command& write = program.verb("export", "the server's jobs as a file for `apply`",
                                [exported, &upkeep](Session& session) {
                                  return exported->all ? export_all(*exported, upkeep, session)
                                                       : export_jobs(*exported, session);
                                });
  write.option("job", exported->names, "names or ids (default: all)").proposes(Proposal::kJob);
  add_selector(write, exported->filter);
  write.flag("--all", exported->all,
             "all that is defined, from the store itself, for `import all` into another");
  add_store(write, exported->whole);
  write.examples({"belfry export > jobs.yaml", "belfry export backup report",
                  "belfry export --all --store sqlite:belfry.db > belfry.jsonl"});
}

}  // namespace belfry::cli
