#include "cli/files/job_diff.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/table.h"
#include "cli/text/text.h"

#include <algorithm>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

Answer<Json> revisions_of(client::Client& client, const std::string& job) {
  auto listing = list(client, client::job_path(job, "/revisions"), {}, kAll);
  if (!listing) return fail(with_suggestion(listing.error(), job, client));
  return std::move(listing->items);
}

std::string joined(const Json& words) {
  std::string text;
  for (const Json& word : words) text += (text.empty() ? "" : ", ") + word.get<std::string>();
  return text;
}

Answer<int> list_revisions(const std::string& job, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(revisions, revisions_of(*client, job));
  if (!session.is_table()) {
    session.print(revisions);
    return int{kOk};
  }
  Table table({{"VERSION", false, true}, {"SINCE"}, {"STATUS"}, {"CHANGED", true}});
  for (const Json& each : revisions) {
    table.row({{field(each, "version")},
               {field(each, "created_at")},
               {field(each, "status")},
               {clean(joined(each.at("changed")))}});
  }
  table.print(session.out(), session.look());
  return int{kOk};
}

// The revision of this version; an empty one is the newest.
Answer<Json> find(const Json& revisions, const std::string& version) {
  if (version.empty() && !revisions.empty()) return Json(revisions.front());
  for (const Json& each : revisions) {
    if (field(each, "version") == version) return Json(each);
  }
  return fail(Problem(Problem::Kind::kNotFound, "the job has no version `" + version + "`", "",
                      "`belfry revisions JOB` lists them"));
}

// What only one of the two knows of is no difference: old versions have no labels and description.
std::vector<FieldChange> changes_of(Json before, Json after) {
  for (const char* name : {"labels", "description"}) {
    if (before.contains(name) && after.contains(name)) continue;
    before.erase(name);
    after.erase(name);
  }
  return changes_between(normalised(before), normalised(after));
}

Answer<int> diff_revisions(const std::string& job, const std::string& from, const std::string& to,
                           Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(revisions, revisions_of(*client, job));
  BELFRY_TRY(before, find(revisions, from));
  BELFRY_TRY(after, find(revisions, to));
  const auto changes = changes_of(before.at("definition"), after.at("definition"));
  if (!session.is_table()) {
    Json list = Json::array();
    for (const FieldChange& change : changes) {
      list.push_back({{"field", change.field}, {"before", change.before}, {"after", change.after}});
    }
    session.print(list);
  } else {
    for (const FieldChange& change : changes) session.out() << clean(to_string(change)) << '\n';
    if (changes.empty()) session.say("they are the same");
  }
  return changes.empty() ? int{kOk} : int{kDifferent};
}

Answer<int> restore_revision(const std::string& job, const std::string& version, Session& session) {
  BELFRY_TRY(client, session.client());
  const std::string path = client::job_path(job, "/revisions/" + version + "/restore");
  const auto restored = client->call({.method = "POST", .path = path, .body = Json::object()});
  if (!restored) {
    const auto there = client->get(client::job_path(job));  // the job, or the version?
    if (!there) return fail(with_suggestion(there.error(), job, *client));
    Problem problem = restored.error();
    if (problem.kind == Problem::Kind::kNotFound) {
      problem.fix = "`belfry revisions " + job + "` lists them";
    }
    return fail(std::move(problem));
  }
  if (!session.is_table()) {
    session.print(restored->body);
    return int{kOk};
  }
  const std::string now = field(restored->body, "version");
  session.out() << painted("✓", Paint::kGood, session.look()) << ' ' << clean(job)
                << (now == version
                        ? " is at version " + version + " already"
                        : " is as it was at version " + version + "; this is version " + now)
                << '\n';
  return int{kOk};
}

// `[list] JOB`, `diff JOB N [M]`, `restore JOB N`; the word may also come after the job.
Answer<int> revisions(std::vector<std::string> words, Session& session) {
  const auto is_action = [](const std::string& word) {
    return word == "diff" || word == "restore" || word == "list";
  };
  if (words.size() > 1 && is_action(words[1]) && !is_action(words[0]))
    std::swap(words[0], words[1]);
  if (words.size() == 1) return list_revisions(words[0], session);
  if (words.size() == 2 && words[0] == "list") return list_revisions(words[1], session);
  const bool is_version = std::all_of(words.begin() + 2, words.end(), [](const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  });
  if (words.size() >= 3 && is_version) {
    if (words[0] == "diff" && words.size() <= 4) {
      return diff_revisions(words[1], words[2], words.size() == 4 ? words[3] : "", session);
    }
    if (words[0] == "restore" && words.size() == 3) {
      return restore_revision(words[1], words[2], session);
    }
  }
  return fail(
      Problem(Problem::Kind::kInvalid, "that is not how revisions are asked for", "",
              "write `revisions [list] JOB`, `revisions diff JOB N [M]` or `revisions restore JOB "
              "N`, with numbers of versions"));
}

}  // namespace

void add_revision_verbs(const Program& program) {
  const auto words = std::make_shared<std::vector<std::string>>();
  Command& command = program.verb("revisions", "what a job was before: list, diff, restore",
                                  [words](Session& session) { return revisions(*words, session); });
  command.option("word", *words, "[list] JOB | diff JOB N [M] | restore JOB N")
      .required()
      .proposes(Proposal::kJob);
  command.examples({"belfry revisions report", "belfry revisions diff report 1 3",
                    "belfry revisions restore report 1"});
  struct RestoreAsk {
    std::string job;
    std::string version;
  };
  const auto ask = std::make_shared<RestoreAsk>();
  Command& restore = program.verb(
      "restore", "make a job what it was at a version; the same as `revisions restore`",
      [ask](Session& session) { return restore_revision(ask->job, ask->version, session); });
  restore.option("job", ask->job, "its name or id").required().proposes(Proposal::kJob);
  restore.option("version", ask->version, "its number, from `belfry revisions JOB`").required();
  restore.examples({"belfry restore report 1"});
}

}  // namespace belfry::cli
