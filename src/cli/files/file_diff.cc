#include "cli/files/file_diff.h"

#include "base/text/instant_text.h"
#include "base/verbatim.h"
#include "cli/files/fire_diff.h"
#include "cli/frame/lookup.h"
#include "cli/text/progress.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

#include <algorithm>
#include <ostream>
#include <set>

namespace belfry::cli {
namespace {

using Kind = JobDiff::Kind;

constexpr const char* kSchedule[] = {"schedule_type",  "cron_expression", "timezone", "dialect",
                                     "dst_gap",        "dst_overlap",     "every",    "run_at",
                                     "start_at",       "end_at",          "jitter",   "calendar",
                                     "calendar_policy"};

bool is_about_schedule(const std::vector<FieldChange>& changes) {
  return std::any_of(changes.begin(), changes.end(), [](const FieldChange& change) {
    return std::find(std::begin(kSchedule), std::end(kSchedule), change.field) !=
           std::end(kSchedule);
  });
}

std::string first_of(const Fires& fires) {
  return fires.at.empty() ? "none" : format_instant(fires.at.front());
}

Answer<std::string> fires_between(const Json& before, const Json& after, FirePlan& plan) {
  BELFRY_TRY(old, plan.fires_of(before));
  BELFRY_TRY(now, plan.fires_of(after));
  std::string text = to_string(diff_of(old, now, plan.from()));
  if (first_of(old) != first_of(now)) {
    text = "next fire moves " + first_of(old) + " → " + first_of(now) + "; " + text;
  }
  return text;
}

Answer<JobDiff> diff_one(client::Client& client, const Json& job, const Json& types,
                         FirePlan& plan) {
  JobDiff diff{.name = field(job, "job_name")};
  const Json after = normalised(job, types);
  const auto reply =
      client.call({.path = client::job_path("name:" + diff.name), .keeping = "/payload"});
  if (!reply && reply.error().kind != Problem::Kind::kNotFound) return fail(reply.error());
  if (!reply) {
    diff.kind = Kind::kNew;
    const auto fires = plan.fires_of(after);
    if (!fires) {
      Problem problem = fires.error();
      problem.what = diff.name + ": " + problem.what;
      return fail(std::move(problem));
    }
    diff.fires = counted(fires->at.size(), "fire") + " until " + format_instant(fires->until) +
                 ", the first " + first_of(*fires);
    return diff;
  }
  const Json& there = reply->body;
  const Json before = normalised(there);
  diff.changes = changes_between(before, after);
  // Applying it brings a cancelled job back.
  if (field(there, "status") == "CANCELLED") {
    diff.changes.push_back({"status", "CANCELLED", "ACTIVE"});
  }
  diff.kind = diff.changes.empty() ? Kind::kSame : Kind::kChanged;
  if (is_about_schedule(diff.changes)) {
    auto fires = fires_between(before, after, plan);
    if (!fires) {
      fires.error().what = diff.name + ": " + fires.error().what;
      return fail(fires.error());
    }
    diff.fires = *fires;
  }
  return diff;
}

const char* word_for(Kind kind) {
  switch (kind) {
    case Kind::kNew: return "new";
    case Kind::kChanged: return "changed";
    case Kind::kGone: return "deleted";
    case Kind::kSame: break;
  }
  return "same";
}

}  // namespace

Answer<std::vector<std::string>> surplus(client::Client& client, const std::vector<Json>& jobs,
                                         const std::vector<std::string>& labels) {
  std::vector<std::string> names;
  if (labels.empty()) return names;
  std::set<std::string> kept;
  for (const Json& job : jobs) kept.insert(field(job, "job_name"));
  BELFRY_TRY(there, list(client, "/api/v1/jobs", to_query({.labels = labels}), kAll));
  for (const Json& job : there.items) {
    const std::string name = field(job, "job_name");
    if (!kept.contains(name)) names.push_back(name);
  }
  return names;
}

Answer<std::vector<JobDiff>> diff_files(client::Client& client, const std::vector<Json>& jobs,
                                        const std::vector<std::string>& prune_labels,
                                        const Session& session) {
  FirePlan plan(client, session.now());
  BELFRY_TRY(types, types_of(client));
  Progress progress(session, "jobs compared", jobs.size());
  std::vector<JobDiff> diffs;
  for (const Json& job : jobs) {
    BELFRY_TRY(diff, diff_one(client, job, types, plan));
    diffs.push_back(std::move(diff));
    progress.advance(1);
  }
  progress.finish();
  BELFRY_TRY(gone, surplus(client, jobs, prune_labels));
  for (std::string& name : gone) diffs.push_back({.kind = Kind::kGone, .name = std::move(name)});
  return diffs;
}

void print_diff(const std::vector<JobDiff>& diffs, const Session& session) {
  const Look look = session.look();
  std::size_t same = 0;
  for (const JobDiff& diff : diffs) {
    if (diff.kind == Kind::kSame) {
      ++same;
      continue;
    }
    const bool gone = diff.kind == Kind::kGone;
    const Paint paint = gone ? Paint::kBad : diff.kind == Kind::kNew ? Paint::kGood : Paint::kWarn;
    const char* mark = gone ? "-" : diff.kind == Kind::kNew ? "+" : "~";
    session.out() << painted(std::string(mark) + " " + clean(diff.name), paint, look) << '\n';
    for (const FieldChange& change : diff.changes) {
      session.out() << "    " << clean(to_string(change)) << '\n';
    }
    if (!diff.fires.empty())
      session.out() << "    " << painted(diff.fires, Paint::kDim, look) << '\n';
  }
  session.say(counted(diffs.size() - same, "difference") + ", " + grouped(same) + " the same");
}

Json to_json(const std::vector<JobDiff>& diffs) {
  Json list = Json::array();
  for (const JobDiff& diff : diffs) {
    if (diff.kind == Kind::kSame) continue;
    Json changes = Json::array();
    for (const FieldChange& change : diff.changes) {
      changes.push_back({{"field", change.field},
                         {"before", plain(change.before)},
                         {"after", plain(change.after)}});
    }
    list.push_back({{"job_name", diff.name},
                    {"difference", word_for(diff.kind)},
                    {"changes", std::move(changes)},
                    {"fires", diff.fires}});
  }
  return list;
}

}  // namespace belfry::cli
