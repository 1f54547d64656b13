#pragma once

#include "api/frame/call.h"
#include "api/frame/context.h"
#include "store/jobs.h"

#include <span>
#include <vector>

namespace belfry::api {

// What registering these jobs would lead to, replacing those whose names are taken; in their order.
// Refuses, with the store's own errors, what the store would refuse. Writes nothing; what others
// change meanwhile is not foreseen.
Result<std::vector<store::RegisteredJob>> plan_batch(const Services& services, const Call& call,
                                                     std::span<const store::NewJob> jobs);

}  // namespace belfry::api
