#include "cli/frame/lookup.h"

#include "base/text/ascii.h"
#include "cli/text/text.h"
#include "cli/text/typed_words.h"
#include "client/pages.h"
#include "core/suggest.h"

#include <algorithm>

namespace belfry::cli {
namespace {

constexpr std::size_t kRunId = 32;
constexpr std::size_t kJobId = 16;  // a run's id begins with that of its job
constexpr std::size_t kLeastOfId = 6;
constexpr std::size_t kMostShown = 5;

bool is_hex(const std::string& text) {
  return text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// What is listed of several that may be meant.
Problem several_begin_with(const std::string& text, const std::string& noun,
                           const std::vector<std::string>& found) {
  Problem problem(Problem::Kind::kInvalid,
                  counted(found.size(), noun) + " begin with `" + text + "`", "",
                  "give more of the id");
  for (std::size_t i = 0; i < std::min(found.size(), kMostShown); ++i) {
    problem.details.push_back(found[i]);
  }
  if (found.size() > kMostShown) problem.details.push_back("…");
  return problem;
}

// Names that may be meant: those that contain the beginning, or else the first of all jobs.
std::vector<std::string> candidates(const std::string& job, client::Client& client) {
  std::vector<std::string> names;
  for (const std::string& part : {job.substr(0, 3), std::string()}) {
    const auto page = client.get("/api/v1/jobs", {{"q", part}, {"limit", "200"}});
    if (!page) return names;
    for (const Json& item : page->at("items")) names.push_back(field(item, "job_name"));
    if (!names.empty()) break;
  }
  return names;
}

}  // namespace

Problem with_suggestion(Problem problem, const std::string& job, client::Client& client) {
  if (problem.kind != Problem::Kind::kNotFound) return problem;
  problem.what = "there is no job `" + job + "`";
  const std::vector<std::string> names = candidates(job, client);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string near = core::closest(job, views);
  problem.fix = near.empty() ? "`belfry ls` lists the jobs" : "did you mean `" + near + "`?";
  return problem;
}

bool looks_like_run(const std::string& text) {
  return text.size() >= kLeastOfId && text.size() <= kRunId && is_hex(text);
}

Problem with_options(Problem problem) {
  problem.what = with_option(std::move(problem.what));
  for (std::string& detail : problem.details) detail = with_option(std::move(detail));
  return problem;
}

bool is_run_id(const std::string& text) {
  return text.size() == kRunId && looks_like_run(text);
}

Answer<std::string> find_run(const std::string& text, client::Client& client) {
  if (is_run_id(text)) return text;
  Problem unknown(Problem::Kind::kNotFound, "there is no run `" + text + "`", "",
                  "`belfry runs` lists them; an id may be cut, but not below six characters");
  if (!looks_like_run(text)) return fail(std::move(unknown));
  const std::string path =
      text.size() < kJobId ? "/api/v1/runs" : client::job_path(text.substr(0, kJobId), "/runs");
  constexpr std::size_t kLookedThrough = 1'000;
  const auto runs = list(client, path, {}, kLookedThrough);
  if (!runs && runs.error().kind != Problem::Kind::kNotFound) return fail(runs.error());
  std::vector<std::string> found;
  for (const Json& run : runs ? runs->items : Json::array()) {
    if (field(run, "run_id").starts_with(text)) found.push_back(field(run, "run_id"));
  }
  if (found.empty()) return fail(std::move(unknown));
  if (found.size() == 1) return found.front();
  return fail(several_begin_with(text, "run", found));
}

bool may_be_cut_job_id(const std::string& text) {
  return text.size() >= kLeastOfId && text.size() < kJobId && is_hex(text);
}

Answer<std::string> whole_job_id(const std::string& text, client::Client& client) {
  const auto named = client.get(client::job_path(text));
  if (named || named.error().kind != Problem::Kind::kNotFound) return text;
  constexpr std::size_t kLookedThrough = 10'000;
  BELFRY_TRY(jobs, list(client, "/api/v1/jobs", {}, kLookedThrough));
  std::vector<std::string> ids;
  std::vector<std::string> shown;
  for (const Json& job : jobs.items) {
    if (!field(job, "job_id").starts_with(text)) continue;
    ids.push_back(field(job, "job_id"));
    shown.push_back(ids.back() + "  " + field(job, "job_name"));
  }
  if (ids.empty()) return text;
  if (ids.size() == 1) return ids.front();
  return fail(several_begin_with(text, "job", shown));
}

Answer<std::string> zone_of(const std::string& job, client::Client& client) {
  const auto found = client.get(client::job_path(job));
  if (!found) return fail(with_suggestion(found.error(), job, client));
  return field(*found, "timezone");
}

void add_selector(Command& command, JobFilter& filter) {
  command
      .option("-l,--selector", filter.labels,
              "only jobs with this label; repeat it to require several")
      .type("KEY=VALUE")
      .proposes(Proposal::kLabel)
      .separated_by(',')
      .check([](const std::string& text) {
        return text.find('=') == std::string::npos ? "write KEY=VALUE" : std::string();
      });
}

client::Query to_query(const JobFilter& filter) {
  client::Query query;
  for (const std::string& label : filter.labels) query.push_back({"label", label});
  if (!filter.status.empty()) query.push_back({"status", in_capitals(filter.status)});
  if (!filter.type.empty()) query.push_back({"job_type", filter.type});
  if (!filter.text.empty()) query.push_back({"q", filter.text});
  if (filter.failing) query.push_back({"failing", "true"});
  return query;
}

Answer<Listing> list(client::Client& client, const std::string& path, client::Query query,
                     std::size_t most) {
  const auto page = static_cast<int>(std::clamp<std::size_t>(most + 1, 1, 1'000));
  client::Pages pages(client, path, std::move(query), page);
  Listing listing;
  while (true) {
    BELFRY_TRY(item, pages.next());
    if (!item) return listing;
    if (listing.items.size() == most) {
      listing.more = true;
      return listing;
    }
    listing.items.push_back(*std::move(item));
  }
}

Answer<Json> types_of(client::Client& client) {
  auto types = list(client, "/api/v1/types", {}, kAll);
  if (types) return std::move(types->items);
  if (types.error().kind == Problem::Kind::kNotFound) return Json::array();
  return fail(types.error());
}

}  // namespace belfry::cli
