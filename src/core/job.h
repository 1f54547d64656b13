#pragma once

#include "base/time.h"
#include "core/schedule/schedule.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

// A job as its owner defines it; docs/reference says what each field means to a user.
namespace belfry::core {

enum class JobStatus : std::uint8_t {
  kActive,
  kPaused,     // by a person; its ticks are skipped, in-flight runs go on
  kCancelled,  // for good
  kCompleted,  // no tick is left
  kDeleted,    // only history remembers it
};

enum class OverlapPolicy : std::uint8_t { kForbid, kAllow, kReplace, kQueueOne };
enum class MisfirePolicy : std::uint8_t { kFireOnce, kSkip, kFireAll };
// Whose workers may have a job's runs: those of its home region, or those of any.
enum class RunIn : std::uint8_t { kHome, kAny };

struct JobPolicies {
  OverlapPolicy overlap = OverlapPolicy::kForbid;
  std::int32_t max_concurrent = 0;  // with kAllow; 0: no limit
  MisfirePolicy misfire = MisfirePolicy::kFireOnce;
  Duration misfire_grace = std::chrono::hours(1);
  std::int32_t max_missed_firings = 1'000;
  std::int32_t max_attempts = 3;
  Duration retry_base = std::chrono::seconds(5);
  Duration retry_cap = std::chrono::minutes(5);
  Duration timeout = std::chrono::minutes(5);
  std::int32_t priority = 0;
  Duration start_within = std::chrono::hours(24);   // a run that nobody starts by then is dead
  Duration stop_within = std::chrono::seconds(30);  // a cancelled run is taken away after this
  RunIn run_in = RunIn::kHome;

  friend bool operator==(const JobPolicies&, const JobPolicies&) = default;
};

struct JobDefinition {
  std::string name;
  std::string job_type = "default";
  ScheduleSpec schedule;
  JobPolicies policies;
  std::string target = R"({"kind":"WORKER"})";  // JSON
  std::string payload = "null";                 // JSON
  std::string labels = "{}";                    // JSON
  std::string description;
};

// Whether ticks of the job are decided at all: those of a paused one are, as skips.
constexpr bool can_tick(JobStatus status) {
  return status == JobStatus::kActive || status == JobStatus::kPaused;
}

// The last instant whose tick is skipped because the job is paused; Instant::min() if it is not. A
// pause covers the ticks before its end: the one at its end runs.
constexpr Instant paused_through(JobStatus status, std::optional<Instant> paused_until) {
  if (status != JobStatus::kPaused) return Instant::min();
  return paused_until ? *paused_until - Duration(1) : Instant::max();
}

// A pause ends by itself, whatever was stored when it began.
constexpr JobStatus status_at(Instant now, JobStatus status, std::optional<Instant> paused_until) {
  const bool over = status == JobStatus::kPaused && paused_until && *paused_until <= now;
  return over ? JobStatus::kActive : status;
}

// Runs start by themselves only after this; none if they do not, unless somebody steps in.
constexpr std::optional<Instant> runs_after(JobStatus status, std::optional<Instant> paused_until,
                                            Instant effective_from) {
  const Instant paused = paused_through(status, paused_until);
  if (!can_tick(status) || paused == Instant::max()) return std::nullopt;
  return std::max(effective_from, paused);
}

}  // namespace belfry::core
