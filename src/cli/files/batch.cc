#include "cli/files/batch.h"

#include "cli/text/progress.h"
#include "cli/text/text.h"
#include "core/limits.h"

#include <algorithm>

namespace belfry::cli {
namespace {

constexpr std::size_t kMostBytes = 8 * 1024 * 1024;

std::string refusal(const Json& item, const std::string& name) {
  std::string line = name + ":";
  for (const Json& error : item.value("errors", Json::array())) {
    line += " " + field(error, "pointer") + " " + field(error, "message") + ";";
  }
  if (line.ends_with(';')) line.pop_back();
  return line;
}

void add_up(const Json& answer, const Json& sent, BatchResult& result) {
  result.created += answer.value("created", std::uint64_t{0});
  result.replaced += answer.value("replaced", std::uint64_t{0});
  result.unchanged +=
      answer.value("unchanged", std::uint64_t{0}) + answer.value("repeated", std::uint64_t{0});
  std::size_t i = 0;
  for (Json item : answer.value("items", Json::array())) {
    const std::string name = i < sent.size() ? field(sent[i], "job_name") : "";
    item["job_name"] = name;
    if (field(item, "outcome") == "REFUSED") result.refused.push_back(refusal(item, name));
    result.items.push_back(std::move(item));
    ++i;
  }
}

// "/jobs/3/cron_expression" does not tell anybody which job is meant.
Problem named(Problem problem, const Json& sent) {
  const auto replace = [&](std::string& text) {
    if (!text.starts_with("jobs/")) return;
    const std::size_t end = text.find_first_of("/:", 5);
    const auto index = static_cast<std::size_t>(std::strtoul(text.c_str() + 5, nullptr, 10));
    if (end == std::string::npos || index >= sent.size()) return;
    text = field(sent[index], "job_name") + ": " + text.substr(end + 1);
  };
  replace(problem.what);
  for (std::string& detail : problem.details) replace(detail);
  return problem;
}

// Two refusals as one, with the lines of both.
Problem added_up(const std::optional<Problem>& before, Problem problem) {
  if (!before) return problem;
  const auto lines = [](Problem& each) {
    if (each.details.empty()) each.details.push_back(each.what);
    return each.details;
  };
  Problem sum = *before;
  lines(sum);
  for (std::string& line : lines(problem)) sum.details.push_back(std::move(line));
  sum.what = grouped(sum.details.size()) + " fields are wrong";
  return sum;
}

}  // namespace

Answer<BatchResult> send_jobs(client::Client& client, const std::vector<Json>& jobs,
                              const BatchOptions& options, const Session& session) {
  BatchResult result;
  Progress progress(session, "jobs", jobs.size());
  for (std::size_t begin = 0, end = 0; begin < jobs.size(); begin = end) {
    Json sent = Json::array();
    for (std::size_t bytes = 0; end < jobs.size() && sent.size() < core::kMostJobsPerRequest;
         ++end) {
      bytes += write_json(jobs[end]).size();
      if (bytes > kMostBytes && !sent.empty()) break;
      sent.push_back(jobs[end]);
    }
    Json body{{"jobs", sent}, {"atomic", options.atomic}, {"paused", options.paused}};
    if (options.dry_run) body["dry_run"] = true;
    const auto answer = client.post_keyed("/api/v1/jobs:batch", std::move(body));
    const bool goes_on =
        options.dry_run && !answer && answer.error().kind == Problem::Kind::kInvalid;
    if (goes_on) {
      result.problem = added_up(result.problem, named(answer.error(), sent));
      continue;
    }
    if (!answer) {
      progress.finish();
      if (begin == 0) return fail(named(answer.error(), sent));
      result.problem = named(answer.error(), sent);
      return result;
    }
    add_up(*answer, sent, result);
    progress.advance(end - begin);
  }
  progress.finish();
  if (options.dry_run && result.problem) return fail(*result.problem);
  return result;
}

std::vector<Json> changed_jobs(const std::vector<Json>& jobs, const BatchResult& result) {
  std::vector<Json> changed;
  for (std::size_t i = 0; i < std::min(jobs.size(), result.items.size()); ++i) {
    const std::string outcome = field(result.items[i], "outcome");
    if (outcome == "CREATED" || outcome == "REPLACED") changed.push_back(jobs[i]);
  }
  return changed;
}

}  // namespace belfry::cli
