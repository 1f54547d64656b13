#pragma once

#include "api/frame/call.h"
#include "api/frame/context.h"
#include "base/json.h"
#include "store/jobs.h"
#include "store/listing.h"

#include <string>
#include <string_view>

namespace belfry::api {

// What stands before a name where an id could stand.
inline constexpr std::string_view kByName = "name:";

// The job that `{job}` stands for, an id or `name:NAME`, if it is the caller's; kNotFound also when
// it is somebody else's.
Result<store::JobRow> find_job(const Services& services, const Call& call);

// The same, but an id also finds a deleted job, whose history stays.
Result<store::JobRow> find_job_even_deleted(const Services& services, const Call& call);

// Pauses end by themselves.
core::JobStatus status_now(const Services& services, const store::JobRow& job);

// A job as the API returns it, with what is computed on reading.
Json show_job(const Services& services, const Call& call, const store::JobRow& job,
              const store::JobHealth& health);

// An instant as the zone of a job shows it; UTC for a zone that no longer exists.
std::string local_text(core::ZoneCatalog& zones, const std::string& timezone, Instant instant);

// The schedule of a job as the engine computes it.
Result<core::Schedule> schedule_of(const Services& services, const store::JobRow& job);

}  // namespace belfry::api
