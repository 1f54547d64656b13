#include "store/common/outbox.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace belfry::store {
namespace {

void append(std::string& text, std::uint64_t job, std::int64_t middle, int last) {
  if (!text.empty()) text += ' ';
  text += std::to_string(job) + ':' + std::to_string(middle) + ':' + std::to_string(last);
}

// The three numbers of a word; what cannot be read is 0.
std::array<std::int64_t, 3> numbers_of(std::string_view word) {
  std::array<std::int64_t, 3> numbers{};
  for (std::int64_t& number : numbers) {
    const std::string_view digits = word.substr(0, word.find(':'));
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    word.remove_prefix(std::min(digits.size() + 1, word.size()));
  }
  return numbers;
}

}  // namespace

std::string write_event_items(const Event& event) {
  std::string text;
  for (const JobEvent& news : event.jobs) {
    append(text, news.job.value(), news.revision, static_cast<int>(news.status));
  }
  for (const RunEvent& news : event.runs) {
    append(text, news.run.job.value(), news.run.key.value(), static_cast<int>(news.state));
  }
  return text;
}

void read_event_items(EventKind kind, std::string_view text, Event& event) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const auto [job, middle, last] = numbers_of(word);
    const JobId id(static_cast<std::uint64_t>(job));
    if (kind == EventKind::kJobs) {
      event.jobs.push_back(
          {id, static_cast<std::uint32_t>(middle), static_cast<core::JobStatus>(last)});
    } else {
      event.runs.push_back({{id, core::RunKey(middle)}, static_cast<core::RunState>(last)});
    }
  }
}

void EventCollector::add(TenantId tenant, const JobEvent& news) {
  Event& event = events_[{tenant, EventKind::kJobs}];
  event.tenant = tenant;
  ++event.count;
  if (event.jobs.size() < kMostNamed) event.jobs.push_back(news);
}

void EventCollector::add(TenantId tenant, const RunEvent& news) {
  Event& event = events_[{tenant, EventKind::kRuns}];
  event.tenant = tenant;
  ++event.count;
  if (event.runs.size() < kMostNamed) event.runs.push_back(news);
}

}  // namespace belfry::store
