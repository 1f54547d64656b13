#pragma once

#include "cli/frame/session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace belfry::cli {

struct BatchOptions {
  bool paused = false;   // jobs that are created start paused
  bool atomic = true;    // a batch with a bad job changes nothing
  bool dry_run = false;  // the server only checks them
};

// What became of all jobs, batch after batch.
struct BatchResult {
  std::uint64_t created = 0;
  std::uint64_t replaced = 0;
  std::uint64_t unchanged = 0;
  Json items = Json::array();  // for each job: outcome, job_name, and errors if it was refused
  std::vector<std::string> refused;  // a line each
  std::optional<Problem> problem;    // what ended it early, after some batches were done
};

// Creates or replaces jobs, ten thousand at a time, with progress. A dry run goes through all of
// them and fails with everything that is wrong.
Answer<BatchResult> send_jobs(client::Client& client, const std::vector<Json>& jobs,
                              const BatchOptions& options, const Session& session);

// Of the jobs that were sent, those that are new or another now.
std::vector<Json> changed_jobs(const std::vector<Json>& jobs, const BatchResult& result);

}  // namespace belfry::cli
