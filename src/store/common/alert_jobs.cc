#include "store/common/alert_jobs.h"

#include "base/json.h"

#include <algorithm>

namespace belfry::store {
namespace {

std::vector<std::string> labels_of(const std::string& text) {
  std::vector<std::string> labels;
  const auto json = parse_json(text);
  if (!json || !json->is_object()) return labels;
  for (const auto& [key, value] : json->items()) {
    if (value.is_string()) labels.push_back(key + "=" + value.get<std::string>());
  }
  return labels;
}

void keep_earlier(std::optional<Instant>& kept, Instant other) {
  kept = kept ? std::min(*kept, other) : other;
}

}  // namespace

std::vector<JobId> AlertJobs::ids() const {
  std::vector<JobId> ids;
  ids.reserve(jobs_.size());
  for (const auto& [id, job] : jobs_) ids.push_back(id);
  return ids;
}

void AlertJobs::add(const Live& run, Instant now) {
  core::AlertJob& job = jobs_[run.job];
  Instant& newest = newest_live_.try_emplace(run.job, run.scheduled_for).first->second;
  newest = std::max(newest, run.scheduled_for);
  if (run.state == core::RunState::kRunning && run.started_at) {
    keep_earlier(job.runs_since, *run.started_at);
    if (run.attempt <= 1) job.last_lag = *run.started_at - run.scheduled_for;
  } else if (run.state == core::RunState::kReady && run.due_at <= now) {
    keep_earlier(job.waits_since, run.due_at);
    keep_earlier(job.unstarted_tick, run.scheduled_for);
  }
}

void AlertJobs::describe(const Facts& facts) {
  core::AlertJob& job = jobs_[facts.job];
  job.job = facts.job;
  job.name = facts.name;
  job.job_type = facts.job_type;
  job.labels = labels_of(facts.labels);
  job.paused = facts.paused;
  job.failures_in_a_row = facts.in_a_row;
  if (!job.last_lag && facts.last_tick && facts.last_started) {
    job.last_lag = *facts.last_started - *facts.last_tick;
  }
  const auto live = newest_live_.find(facts.job);
  const bool made_up =
      facts.missed && ((facts.last_tick && *facts.last_tick > *facts.missed) ||
                       (live != newest_live_.end() && live->second > *facts.missed));
  if (!made_up) job.missed = facts.missed;
}

std::vector<core::AlertJob> AlertJobs::take() {
  std::vector<core::AlertJob> jobs;
  for (auto& [id, job] : jobs_) {
    if (!job.name.empty()) jobs.push_back(std::move(job));
  }
  jobs_.clear();
  return jobs;
}

}  // namespace belfry::store
