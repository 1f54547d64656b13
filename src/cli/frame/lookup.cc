#include "cli/frame/lookup.h"

#include "cli/text/text.h"
#include "client/pages.h"
#include "core/suggest.h"

#include <algorithm>
#include <cctype>

namespace belfry::cli {
namespace {

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

void add_selector(Command& command, JobFilter& filter) {
  command
      .option("-l,--selector", filter.labels,
              "only jobs with this label; repeat it to require several")
      .type("KEY=VALUE")
      .separated_by(',')
      .check([](const std::string& text) {
        return text.find('=') == std::string::npos ? "write KEY=VALUE" : std::string();
      });
}

client::Query to_query(const JobFilter& filter) {
  client::Query query;
  for (const std::string& label : filter.labels) query.push_back({"label", label});
  std::string status = filter.status;
  std::transform(status.begin(), status.end(), status.begin(),
                 [](char c) { return static_cast<char>(std::toupper(c)); });
  if (!status.empty()) query.push_back({"status", status});
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

}  // namespace belfry::cli
