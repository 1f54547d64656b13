#include "base/text/duration_text.h"
#include "cli/files/manifest.h"
#include "cli/files/source_files.h"
#include "cli/files/yaml.h"
#include "cli/rehearse/rehearse_ask.h"
#include "cli/text/text.h"
#include "rehearse/read_jobs.h"

#include <algorithm>
#include <map>

namespace belfry::cli {
namespace {

// The rules in a text, one to a line; `#` begins a comment.
std::vector<std::string> rules_in(const std::string& text) {
  std::vector<std::string> rules;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    line.erase(std::min(line.find(" #"), line.size()));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    if (!line.empty() && line.front() != '#') rules.push_back(std::move(line));
  }
  return rules;
}

Answer<rehearse::Calendars> given_calendars(const RehearseAsk& ask, const Session& session) {
  rehearse::Calendars calendars;
  for (const std::string& given : ask.calendars) {
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(Problem(Problem::Kind::kInvalid, "--calendar: `" + given + "` names no file", "",
                          "write --calendar NAME=FILE; the file has a rule to a line"));
    }
    BELFRY_TRY(files, read_files({given.substr(equals + 1)}, {}, session));
    for (const TextFile& file : files) calendars[given.substr(0, equals)] = rules_in(file.text);
  }
  return calendars;
}

// Asks the server for calendars that were not given. Without an answer the jobs that need them are
// complained about.
void ask_for_calendars(const std::vector<Json>& jobs, rehearse::Calendars& calendars,
                       Session& session) {
  for (const Json& job : jobs) {
    const std::string name = field(job, "calendar");
    if (name.empty() || calendars.contains(name)) continue;
    const auto client = session.client();
    if (!client) return;
    const auto found = (*client)->get(client::path_of("calendars", name));
    if (!found && found.error().kind == Problem::Kind::kUnreachable) return;
    if (found) calendars[name] = found->at("rules").get<std::vector<std::string>>();
  }
}

// "retry.base" for "/retry/base".
std::string field_of(const std::string& pointer) {
  std::string field = pointer.substr(std::min<std::size_t>(1, pointer.size()));
  std::ranges::replace(field, '/', '.');
  return field;
}

std::string file_of(const std::string& job, const std::vector<TextFile>& files) {
  for (const TextFile& file : files) {
    const auto jobs = read_manifest({file});
    if (!jobs) continue;
    const auto named = [&](const Json& each) { return field(each, "job_name") == job; };
    if (std::ranges::any_of(*jobs, named)) return file.name;
  }
  return "";
}

Problem problem_of(const std::vector<rehearse::BadJob>& bad, const std::vector<TextFile>& files) {
  Problem problem(Problem::Kind::kInvalid, counted(bad.size(), "job") + " cannot be rehearsed", "",
                  "correct them; `belfry apply` would refuse them too");
  for (const rehearse::BadJob& job : bad) {
    const std::string place = file_of(job.job, files) + ", " + job.job + ": ";
    for (const auto& complaint : job.complaints) {
      std::string line = place + field_of(complaint.pointer) + ": " + complaint.message;
      if (!complaint.hint.empty()) line += "; " + complaint.hint;
      problem.details.push_back(std::move(line));
    }
  }
  return problem;
}

Problem no_such_job(const std::string& name) {
  return {Problem::Kind::kInvalid, "--durations: there is no job `" + name + "` in the files", "",
          "name one of them, or leave it out"};
}

Answer<Duration> duration_of(const std::string& text, const std::string& place) {
  const auto takes = parse_duration(text);
  if (takes) return *takes;
  return fail(Problem(Problem::Kind::kInvalid,
                      "--durations: " + place + "`" + text + "` is no length of time",
                      takes.error().message, "write 5m, NAME=5m, or a file with lines NAME: 5m"));
}

// And not like the name of a file, which has an ending or a folder.
bool looks_like_duration(const std::string& text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9' &&
         text.find_first_of("./") == std::string::npos;
}

// How long runs take: all of them, and those of single jobs.
struct Durations {
  Duration all{};
  std::map<std::string, Duration> by_job;
};

Answer<void> read_file(const std::string& name, const Session& session, Durations& durations) {
  BELFRY_TRY(files, read_files({name}, {}, session));
  for (const TextFile& file : files) {
    BELFRY_TRY(documents, parse_yaml(file.text));
    for (const Json& document : documents) {
      if (!document.is_object()) {
        return fail(Problem(Problem::Kind::kInvalid,
                            "--durations: " + file.name + " has no lines `NAME: 5m`"));
      }
      for (const auto& [job, value] : document.items()) {
        BELFRY_TRY(takes,
                   duration_of(value.is_string() ? value.get<std::string>() : write_json(value),
                               file.name + ", " + job + ": "));
        durations.by_job[job] = takes;
      }
    }
  }
  return {};
}

Answer<Durations> read_durations(const RehearseAsk& ask, const Session& session) {
  Durations durations;
  for (const std::string& text : ask.durations) {
    const std::size_t equals = text.rfind('=');
    if (equals != std::string::npos) {
      BELFRY_TRY(takes, duration_of(text.substr(equals + 1), text.substr(0, equals) + ": "));
      durations.by_job[text.substr(0, equals)] = takes;
    } else if (looks_like_duration(text)) {
      BELFRY_TRY(takes, duration_of(text, ""));
      durations.all = takes;
    } else {
      BELFRY_CHECK(read_file(text, session, durations));
    }
  }
  return durations;
}

}  // namespace

Answer<void> take_durations(const RehearseAsk& ask, const Session& session,
                            std::span<rehearse::Plan> plans) {
  BELFRY_TRY(durations, read_durations(ask, session));
  for (const auto& [name, takes] : durations.by_job) {
    const auto same = [&](const auto& job) { return job.definition.name == name; };
    const auto has = [&](const auto& plan) { return std::ranges::any_of(plan.jobs, same); };
    if (std::ranges::none_of(plans, has)) return fail(no_such_job(name));
  }
  for (rehearse::Plan& plan : plans) {
    for (rehearse::PlannedJob& job : plan.jobs) {
      const auto own = durations.by_job.find(job.definition.name);
      job.takes = own == durations.by_job.end() ? durations.all : own->second;
    }
  }
  return {};
}

Answer<void> add_jobs(const std::vector<std::string>& names, const RehearseAsk& ask,
                      Session& session, core::ZoneCatalog& zones, rehearse::Plan& plan) {
  BELFRY_TRY(files, read_files(names, {{".yaml", ".yml", ".json"}, FolderFiles::Below::kFolders},
                               session));
  BELFRY_TRY(jobs, read_manifest(files));
  BELFRY_TRY(calendars, given_calendars(ask, session));
  ask_for_calendars(jobs, calendars, session);
  rehearse::ReadJobs read = rehearse::read_jobs(jobs, calendars, zones);
  if (!read.bad.empty()) return fail(problem_of(read.bad, files));
  for (core::JobDefinition& job : read.jobs) plan.jobs.push_back({.definition = std::move(job)});
  return {};
}

}  // namespace belfry::cli
