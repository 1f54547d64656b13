#pragma once

#include "api/frame/problem.h"
#include "base/json.h"
#include "store/job_types.h"

#include <vector>

// Job types as api/openapi.yaml writes them.
namespace belfry::api {

// Limits that there are not are left out, so that what was read can be sent back.
Json write_type(const store::JobType& type);

// Reads all but the name; what is wrong with it goes to `complaints`.
void read_type(const Json& json, store::JobType& type, std::vector<Complaint>& complaints);

}  // namespace belfry::api
