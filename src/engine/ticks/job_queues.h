#pragma once

#include "core/book/live_run.h"

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace belfry::engine {

// Where the runs of jobs wait that have ticked lately, so that their next ones can be decided into
// waiting hands. It may be wrong after a job has changed: the store compares.
class JobQueues {
 public:
  struct Known {
    TenantId tenant;
    const std::string* queue = nullptr;
    std::optional<RegionNo> region;
  };

  void learn(const core::LiveRun& run) {
    if (jobs_.size() >= kMost && !jobs_.contains(run.run.job)) jobs_.clear();
    jobs_[run.run.job] = {run.tenant, &*names_.insert(run.queue).first, run.region};
  }
  const Known* find(JobId job) const {
    const auto found = jobs_.find(job);
    return found == jobs_.end() ? nullptr : &found->second;
  }

 private:
  static constexpr std::size_t kMost = 500'000;  // some 20 MB

  std::unordered_set<std::string> names_;
  std::unordered_map<JobId, Known> jobs_;
};

}  // namespace belfry::engine
