#include "api/events/event_hub.h"
#include "base/json.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/spelling.h"

#include <algorithm>
#include <charconv>

namespace belfry::api {
namespace {

// The newest of each object, in the order they came last; at most kMostNamed.
template <typename EventCollector, typename Key>
std::vector<EventCollector> newest(const std::vector<EventCollector>& all, const Key& key_of) {
  std::vector<EventCollector> kept;
  for (auto news = all.rbegin(); news != all.rend() && kept.size() < store::kMostNamed; ++news) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const EventCollector& other) {
      return key_of(other) == key_of(*news);
    });
    if (!known) kept.push_back(*news);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

// Events of one kind, put together.
struct Digest {
  std::vector<store::JobEvent> jobs;
  std::vector<store::RunEvent> runs;
  std::vector<store::ViolationEvent> violations;
  std::size_t count = 0;
  store::EventId last;
  Instant at;

  void add(const store::Event& event) {
    jobs.insert(jobs.end(), event.jobs.begin(), event.jobs.end());
    runs.insert(runs.end(), event.runs.begin(), event.runs.end());
    violations.insert(violations.end(), event.violations.begin(), event.violations.end());
    count += event.count;
    last = event.id;
    at = event.at;
  }
};

std::string write_sse(const store::EventId& id, const char* kind, const Json& data) {
  return "id: " + write_event_id(id) + "\nevent: " + kind + "\ndata: " + write_json(data) + "\n\n";
}

std::string write_jobs(const Digest& digest) {
  Json list = Json::array();
  for (const auto& news : newest(digest.jobs, [](const auto& job) { return job.job; })) {
    list.push_back({{"job_id", core::write_job_id(news.job)},
                    {"version", news.revision},
                    {"status", core::word_for(news.status, core::kJobStatuses)}});
  }
  return write_sse(digest.last, "jobs",
                   {{"at", format_instant(digest.at)}, {"count", digest.count}, {"jobs", list}});
}

std::string write_runs(const Digest& digest) {
  Json list = Json::array();
  for (const auto& news : newest(digest.runs, [](const auto& run) { return run.run; })) {
    list.push_back({{"run_id", core::write_run_id(news.run)},
                    {"state", core::word_for(news.state, core::kRunStates)}});
  }
  return write_sse(digest.last, "runs",
                   {{"at", format_instant(digest.at)}, {"count", digest.count}, {"runs", list}});
}

std::string write_violations(const Digest& digest) {
  Json list = Json::array();
  const auto key_of = [](const auto& each) { return std::pair(each.job, each.tick); };
  for (const auto& news : newest(digest.violations, key_of)) {
    list.push_back({{"job_id", core::write_job_id(news.job)},
                    {"kind", core::name_of(news.kind)},
                    {"tick", format_instant(news.tick.instant())}});
  }
  return write_sse(
      digest.last, "violations",
      {{"at", format_instant(digest.at)}, {"count", digest.count}, {"violations", list}});
}

}  // namespace

std::string write_events(std::span<const store::Event> events) {
  Digest jobs;
  Digest runs;
  Digest violations;
  for (const store::Event& event : events) {
    (!event.jobs.empty() ? jobs : !event.violations.empty() ? violations : runs).add(event);
  }
  // The one with the highest id last: a client that goes on after it has seen all of them.
  std::vector<std::pair<store::EventId, std::string>> texts;
  if (jobs.count > 0) texts.emplace_back(jobs.last, write_jobs(jobs));
  if (runs.count > 0) texts.emplace_back(runs.last, write_runs(runs));
  if (violations.count > 0) texts.emplace_back(violations.last, write_violations(violations));
  std::ranges::sort(texts);
  std::string text;
  for (const auto& [id, part] : texts) text += part;
  return text;
}

std::string write_event_id(const store::EventId& id) {
  return std::to_string(id.transaction) + "-" + std::to_string(id.number);
}

std::optional<store::EventId> read_event_id(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return {};
  store::EventId id;
  const auto read = [](std::string_view digits, std::uint64_t& to) {
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, to);
    return parsed.ec == std::errc() && parsed.ptr == end;
  };
  const bool fine =
      read(text.substr(0, dash), id.transaction) && read(text.substr(dash + 1), id.number);
  return fine ? std::optional(id) : std::nullopt;
}

}  // namespace belfry::api
