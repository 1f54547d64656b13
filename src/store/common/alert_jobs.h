#pragma once

#include "core/alerts/judge.h"
#include "core/run.h"

#include <map>
#include <string>
#include <vector>

namespace belfry::store {

// When a message counts as undelivered, and for how long one that was given up does.
inline constexpr Duration kAlertPatience = std::chrono::minutes(1);
inline constexpr Duration kAlertGivenUpFor = std::chrono::days(1);

// Collects what the queries of alert_facts say, by job.
class AlertJobs {
 public:
  core::AlertJob& at(JobId job) { return jobs_[job]; }
  std::vector<JobId> ids() const;

  struct Live {
    JobId job;
    core::RunState state{};
    std::uint32_t attempt = 0;
    Instant scheduled_for;
    Instant due_at;
    std::optional<Instant> started_at;
  };
  void add(const Live& run, Instant now);

  // The job itself, as it is now. Without it, what was said of the job is left out.
  struct Facts {
    JobId job;
    std::string name;
    std::string job_type;
    std::string labels;  // JSON
    bool paused = false;
    std::int64_t in_a_row = 0;
    std::optional<Instant> last_tick;     // of the last run that is over
    std::optional<Instant> last_started;  // and when it began, if at its first attempt
    std::optional<Instant> missed;        // the last missed tick
  };
  void describe(const Facts& facts);

  std::vector<core::AlertJob> take();

 private:
  std::map<JobId, core::AlertJob> jobs_;
  std::map<JobId, Instant> newest_live_;  // the latest tick that has a live run
};

}  // namespace belfry::store
