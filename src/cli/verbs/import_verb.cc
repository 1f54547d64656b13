#include "cli/files/batch.h"
#include "cli/files/source_files.h"
#include "cli/frame/verbs.h"
#include "cli/text/import_report.h"
#include "cli/text/text.h"
#include "cli/verbs/job_warnings.h"
#include "import/crontab/crontab.h"
#include "import/job_json.h"
#include "import/k8s/k8s.h"
#include "import/names.h"
#include "import/systemd/systemd.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <set>

namespace belfry::cli {
namespace {

using importer::ImportReport;

struct ImportAsk {
  std::string source;  // crontab, systemd, k8s
  std::vector<std::string> files;
  std::string timezone;
  std::string host;
  std::string worker_user;
  std::string owner;
  bool user_column = false;
  bool write = false;
  bool activate = false;
};

importer::CrontabStyle style_of(const ImportAsk& ask, const std::string& file) {
  const std::filesystem::path path(file);
  if (path.filename() == "anacrontab") return importer::CrontabStyle::kAnacron;
  const bool system =
      ask.user_column || file == "/etc/crontab" || path.parent_path().filename() == "cron.d";
  return system ? importer::CrontabStyle::kSystem : importer::CrontabStyle::kUser;
}

void append(ImportReport& all, ImportReport part) {
  std::move(part.entries.begin(), part.entries.end(), std::back_inserter(all.entries));
  for (std::string& note : part.notes) {
    const bool known = std::find(all.notes.begin(), all.notes.end(), note) != all.notes.end();
    if (!known) all.notes.push_back(std::move(note));
  }
}

// Names are unique within each file; this makes them unique across all files.
void part_names(ImportReport& report) {
  importer::UniqueNames names;
  for (importer::ImportEntry& entry : report.entries) {
    if (!entry.job) continue;
    std::string what;
    for (const std::string& word : entry.job->command) what += word + ' ';
    entry.job->job_name = names.take(entry.job->job_name, what + entry.job->cron_expression);
  }
}

ImportReport read_report(const ImportAsk& ask, const std::vector<TextFile>& files,
                         const Session& session) {
  core::ZoneCatalog zones;
  const importer::ImportOptions options{.timezone = ask.timezone,
                                        .host = ask.host,
                                        .worker_user = ask.worker_user,
                                        .from = session.now()};
  ImportReport report;
  if (ask.source == "systemd") {
    std::vector<importer::SourceFile> units;
    for (const TextFile& file : files) units.push_back({file.name, file.text});
    return importer::import_systemd(units, options, zones);
  }
  for (const TextFile& file : files) {
    const importer::SourceFile source{file.name, file.text};
    append(report, ask.source == "k8s"
                       ? importer::import_k8s(source, options, zones)
                       : importer::import_crontab(
                             source, {.style = style_of(ask, file.name), .owner = ask.owner},
                             options, zones));
  }
  part_names(report);
  return report;
}

Answer<std::vector<Json>> jobs_of(const ImportReport& report) {
  std::vector<Json> jobs;
  for (const importer::ImportEntry& entry : report.entries) {
    if (!entry.job) continue;
    BELFRY_TRY(job, parse_json(importer::to_json(*entry.job)));
    jobs.push_back(std::move(job));
  }
  return jobs;
}

// The label that the jobs of a source have.
std::string source_label(const ImportAsk& ask) {
  return ask.source == "k8s" ? "kubernetes" : ask.source;
}

// The jobs whose name is free, or belongs to a job imported from there before. A job that somebody
// made by hand must not be replaced; it is listed in `refused`.
Answer<std::vector<Json>> without_others(const ImportAsk& ask, const std::vector<Json>& jobs,
                                         client::Client& client,
                                         std::vector<std::string>& refused) {
  std::vector<Json> ours;
  for (const Json& job : jobs) {
    const std::string name = field(job, "job_name");
    const auto there = client.get(client::job_path("name:" + name));
    if (!there && there.error().kind != Problem::Kind::kNotFound) return fail(there.error());
    const bool others = there && field(there->value("labels", Json::object()), "imported_from") !=
                                     source_label(ask);
    if (others) refused.push_back(name + ": there is a job of this name that was not imported");
    if (!others) ours.push_back(job);
  }
  return ours;
}

// What cron mails of a job, an alert does: a rule for each MAILTO, made once. One that is there
// stays: somebody may have changed it.
void tell_by_mail(const std::vector<Json>& jobs, client::Client& client, Session& session) {
  std::set<std::string> addresses;
  for (const Json& job : jobs) {
    const std::string to = field(job.value("labels", Json::object()), "mailto");
    if (!to.empty()) addresses.insert(to);
  }
  for (const std::string& to : addresses) {
    const std::string name = "mailto-" + to;
    const std::string path = client::path_of("alerts/rules", name);
    if (client.get(path)) continue;
    const Json mail{{"kind", "MAIL"}, {"to", Json::array({to})}};
    const Json rule{{"when", "failed_in_a_row"},
                    {"count", 1},
                    {"labels", Json::array({"mailto=" + to})},
                    {"to", Json::array({mail})}};
    const auto made = client.call({.method = "PUT", .path = path, .body = rule});
    if (made) {
      session.say("alert rule " + clean(name) + " mails their failures");
    } else {
      session.warn("no alert rule for MAILTO=" + clean(to) + ": " + made.error().what);
    }
  }
}

Answer<int> send(const ImportAsk& ask, const std::vector<Json>& all, Session& session) {
  BELFRY_TRY(client, session.client());
  std::vector<std::string> others;
  BELFRY_TRY(jobs, without_others(ask, all, *client, others));
  BELFRY_TRY(result, send_jobs(*client, jobs, {.paused = !ask.activate, .atomic = false}, session));
  result.refused.insert(result.refused.end(), others.begin(), others.end());
  tell_by_mail(jobs, *client, session);
  for (const std::string& line : result.refused) session.warn("refused  " + clean(line));
  session.say(grouped(result.created) + " created" + (ask.activate ? "" : " (paused)") + ", " +
              grouped(result.replaced) + " replaced, " + grouped(result.unchanged) +
              " unchanged, " + grouped(result.refused.size()) + " refused");
  warn_of_targets(*client, changed_jobs(jobs, result), session);
  if (!ask.activate && result.created > 0) {
    session.say("look at them, then:  belfry resume -l imported_from=" + source_label(ask));
  }
  if (result.problem) {
    result.problem->kind = Problem::Kind::kPartial;
    return fail(*result.problem);
  }
  return result.refused.empty() ? int{kOk} : int{kPartial};
}

Answer<int> import_jobs(const ImportAsk& ask, Session& session) {
  std::vector<std::string> names = ask.files;
  if (names.empty()) names.emplace_back("-");
  const bool units = ask.source == "systemd";  // `systemctl edit` writes to NAME.timer.d/
  using Below = FolderFiles::Below;
  BELFRY_TRY(files, read_files(names, {{}, units ? Below::kDropIns : Below::kNothing}, session));
  const ImportReport report = read_report(ask, files, session);
  if (session.is_table()) {
    print_report(report, session);
  } else {
    session.print(to_json(report));
  }
  if (ask.source == "crontab" && session.is_table()) print_lines_to_remove(report, files, session);
  BELFRY_TRY(jobs, jobs_of(report));
  if (!ask.write) {
    if (!jobs.empty()) session.say("nothing was written; --write registers them, paused");
    return int{kOk};
  }
  return send(ask, jobs, session);
}

Command& add_source(const Program& program, Command& parent, const std::string& source,
                    const std::string& help) {
  const auto ask = std::make_shared<ImportAsk>();
  ask->source = source;
  Command& command = program.verb(parent, source, help,
                                  [ask](Session& session) { return import_jobs(*ask, session); });
  command.option("file", ask->files, "files or folders; - (default) is stdin")
      .proposes(Proposal::kFile);
  command.option("--tz", ask->timezone, "the time zone of the host they come from")
      .type("ZONE")
      .proposes(Proposal::kZone);
  command.option("--host", ask->host, "that host's name, for a label").type("NAME");
  command.option("--worker-user", ask->worker_user, "the user that commands run as").type("USER");
  if (source == "crontab") {
    command.option("--owner", ask->owner, "whose crontab it is").type("USER");
    command.flag("--user-column", ask->user_column,
                 "the sixth column names the user (as in /etc/crontab)");
  }
  command.flag("--write", ask->write, "register the jobs (default: only report)");
  command.flag("--activate", ask->activate, "with --write: do not pause them");
  return command;
}

}  // namespace

void add_import_verb(const Program& program, const Upkeep& upkeep) {
  Command& import = program.noun("import", "import jobs from elsewhere: crontab, systemd, k8s");
  add_source(program, import, "crontab", "user and system crontabs, /etc/cron.d, anacrontab")
      .examples({"crontab -l | belfry import crontab - --tz Europe/Berlin",
                 "belfry import crontab /etc/crontab --user-column --write"});
  add_source(program, import, "systemd", "systemd timers with their services")
      .examples({"belfry import systemd /etc/systemd/system --write"});
  add_source(program, import, "k8s", "Kubernetes CronJobs")
      .examples({"kubectl get cronjobs -A -o yaml | belfry import k8s -"});
  add_whole_import(import, upkeep);
}

}  // namespace belfry::cli
