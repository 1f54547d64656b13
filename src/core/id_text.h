#pragma once

#include "base/ids.h"
#include "core/run.h"

#include <optional>
#include <string>
#include <string_view>

// Ids as the API writes them: 16 hex digits for a job; 32 for a run, of which the first 16 are its
// job's. Numbers would not survive a reader in JavaScript.
namespace belfry::core {

std::string write_job_id(JobId id);
std::optional<JobId> read_job_id(std::string_view text);

std::string write_run_id(const RunRef& run);
std::optional<RunRef> read_run_id(std::string_view text);

// What a store's audit calls "job:196826" or "run:196826:1794000000", by the ids that users know.
std::string shown_object(const std::string& stored);

}  // namespace belfry::core
