#pragma once

#include "base/json.h"
#include "store/ledger.h"
#include "store/run_logs.h"
#include "store/runs.h"

#include <string>
#include <vector>

// Runs as the OpenAPI document writes them.
namespace belfry::api {

Json write_run(const store::RunRow& run, const std::string& tenant);

// With its payload and the attempts that are over.
Json write_run_detail(const store::RunRow& run, const std::string& tenant,
                      const std::vector<store::AttemptRow>& attempts);

// Entries of the ledger.
Json write_tick(const store::RunRow& run);
Json write_tick(const store::SkipRow& skip);

Json write_log(const core::RunRef& run, const store::RunLog& log);

}  // namespace belfry::api
