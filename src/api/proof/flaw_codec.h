#pragma once

#include "base/json.h"
#include "core/proof/check.h"

#include <string>

namespace belfry::api {

// What is wrong with the ledger of a job.
Json write_flaw(JobId job, const std::string& name, const core::LedgerFlaw& flaw);

}  // namespace belfry::api
