#pragma once

#include "api/frame/call.h"
#include "api/frame/context.h"

#include <optional>

namespace belfry::api {

// A job as an answer, with its ETag; 304 to who reads it and has this answer already.
Outcome job_response(const Services& services, const Call& call, const store::JobRow& job);

// What an error of the store means to a caller that registers or changes a job.
Problem problem_with_job(const Error& error);

// What is wrong with a change whose If-Match or If-None-Match does not hold for the job; none: it
// may be made.
std::optional<Problem> check_conditions(const Call& call, const std::optional<store::JobRow>& job);

// What is answered where a job exists that was to be new.
Problem exists_already(const std::string& detail);

// The change, bound to the version that was read where the caller named versions.
store::JobStore::JobChange conditional(const Call& call, const store::JobRow& job,
                                       store::JobStore::JobChange wanted);

// Changes a job on the caller's behalf, under its conditions, and answers with it.
Outcome change_job(const Services& services, const Call& call, const store::JobRow& job,
                   store::JobStore::JobChange wanted);

// The same for a change that was computed from `job` as it was read. None if the job has changed
// since and the caller did not name a version: then read it again and compute anew.
std::optional<Outcome> change_as_read(const Services& services, const Call& call,
                                      const store::JobRow& job, store::JobStore::JobChange wanted);

// How often to do so, and what to answer when every try lost the race.
inline constexpr int kMostRaces = 10;
Problem lost_races();

}  // namespace belfry::api
