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
  for (const JobEvent& job : event.jobs) {
    append(text, job.job.value(), job.revision, static_cast<int>(job.status));
  }
  for (const RunEvent& run : event.runs) {
    append(text, run.run.job.value(), run.run.key.value(), static_cast<int>(run.state));
  }
  for (const ViolationEvent& each : event.violations) {
    append(text, each.job.value(), each.tick.instant().micros(), static_cast<int>(each.kind));
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
    } else if (kind == EventKind::kViolations) {
      event.violations.push_back(
          {id, Tick(Instant::from_micros(middle)), static_cast<core::FlawKind>(last)});
    } else {
      event.runs.push_back({{id, core::RunKey(middle)}, static_cast<core::RunState>(last)});
    }
  }
}

void EventCollector::add(TenantId tenant, const JobEvent& job) {
  Event& event = events_[{tenant, EventKind::kJobs}];
  event.tenant = tenant;
  ++event.count;
  if (event.jobs.size() < kMostNamed) event.jobs.push_back(job);
}

void EventCollector::add(TenantId tenant, const RunEvent& run) {
  Event& event = events_[{tenant, EventKind::kRuns}];
  event.tenant = tenant;
  ++event.count;
  if (event.runs.size() < kMostNamed) event.runs.push_back(run);
}

void EventCollector::add(TenantId tenant, const ViolationEvent& violation) {
  Event& event = events_[{tenant, EventKind::kViolations}];
  event.tenant = tenant;
  ++event.count;
  if (event.violations.size() < kMostNamed) event.violations.push_back(violation);
}

}  // namespace belfry::store
