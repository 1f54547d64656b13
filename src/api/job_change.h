#pragma once

#include "api/call.h"
#include "api/services.h"

namespace belfry::api {

// A job as an answer, with its ETag.
net::Response job_response(const Services& services, const Call& call, const store::JobRow& job,
                           int status = 200);

// Changes a job on the caller's behalf, under If-Match where it is given, and answers with it.
Outcome change_job(const Services& services, const Call& call, store::JobStore::JobChange wanted);

}  // namespace belfry::api
