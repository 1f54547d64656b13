#include "cli/verbs/job_warnings.h"

#include "cli/text/text.h"

#include <chrono>
#include <map>

namespace belfry::cli {
namespace {

constexpr std::size_t kMostPlaces = 20;
constexpr Duration kPatience = std::chrono::seconds(5);  // with slow name servers

// The text up to what no longer says who takes the runs.
std::string host_part(const std::string& url) {
  const std::size_t scheme = url.find("://");
  return url.substr(0, scheme == std::string::npos ? scheme : url.find('/', scheme + 3));
}

// What jobs with the same fate have in common.
std::string place_of(const Json& job) {
  const Json target = job.value("target", Json::object());
  const std::string url =
      job.contains("handler_url") ? field(job, "handler_url") : field(target, "url");
  if (!url.empty()) return "url " + host_part(url);
  const std::string broker = field(target, "broker");
  if (!broker.empty()) return "broker " + broker;
  return field(target, "kind") + " " + field(job, "job_type") + " " + field(job, "region");
}

bool is_of_target(const std::string& code) {
  return code == "no_worker" || code == "unknown_broker" || code == "unknown_host";
}

void tell_warnings(const Json& warnings, const std::vector<std::string>& names,
                   const Session& session) {
  for (const Json& warning : warnings) {
    const std::string code = field(warning, "code");
    if (!is_of_target(code)) continue;
    const std::string more =
        names.size() == 1 ? "" : " (and " + counted(names.size() - 1, "other job") + ")";
    session.warn(painted("!", Paint::kWarn, session.talk_look()) + ' ' +
                 clean(names.front() + more + ": " + field(warning, "message")));
    if (code == "no_worker") session.say("  who takes runs:  belfry workers");
  }
}

}  // namespace

void warn_of_targets(client::Client& client, const std::vector<Json>& jobs,
                     const Session& session) {
  std::map<std::string, std::vector<std::string>> places;
  for (const Json& job : jobs) places[place_of(job)].push_back(field(job, "job_name"));
  std::size_t asked = 0;
  for (const auto& [place, names] : places) {
    if (++asked > kMostPlaces) return;
    const auto answer = client.call(
        {.path = client::job_path("name:" + names.front(), "/warnings"), .timeout = kPatience});
    if (!answer) return;
    tell_warnings(answer->body.value("warnings", Json::array()), names, session);
  }
}

}  // namespace belfry::cli
