#pragma once

#include "api/frame/problem.h"
#include "base/json.h"
#include "core/bulk/job_selector.h"
#include "core/bulk/run_selector.h"
#include "store/bulk.h"

#include <string>
#include <vector>

// What a caller asks to be done to many jobs or runs.
namespace belfry::api {

struct JobsAsked {
  core::JobSelector selector;
  store::BulkStore::JobDeed deed;
  std::string note;
  bool dry_run = false;
};
JobsAsked read_jobs_asked(const Json& body, Instant now, std::vector<Complaint>& complaints);

struct RunsAsked {
  core::RunSelector selector;
  core::RunAction action{};
  std::string note;
  bool dry_run = false;
};
RunsAsked read_runs_asked(const Json& body, std::vector<Complaint>& complaints);

}  // namespace belfry::api
