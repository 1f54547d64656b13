#pragma once

#include "api/frame/object_reader.h"
#include "core/job.h"
#include "core/schedule/zone_catalog.h"
#include "service/jobs/type_defaults.h"
#include "store/jobs.h"
#include "store/listing.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

// Jobs as api/openapi.yaml writes them.
namespace belfry::api {

// A job as a user sends it.
struct JobDraft {
  core::JobDefinition definition;
  std::optional<std::string> tenant;  // names another tenant than the key's
  std::optional<std::string> home_region;
};

struct JobReading {
  Instant now;                                  // what `delay` counts from
  const core::JobDefinition* before = nullptr;  // the definition this one replaces
  // What jobs have that do not say, by their types; may be null.
  std::shared_ptr<const service::TypeDefaults::ByType> defaults = {};
};

// Reads a job; what is wrong with it, down to the last field, goes to `complaints`. Fields that the
// API adds itself (job_id, status, ...) are ignored, so that what was read can be sent back.
JobDraft read_job(const Json& body, const std::string& pointer, const JobReading& reading,
                  std::vector<Complaint>& complaints);

// Reads the fields of a job that are its schedule; any other is refused.
core::ScheduleSpec read_schedule_only(const Json& body, Instant now,
                                      std::vector<Complaint>& complaints);

// All that a user defines, defaults written out; reading it again gives the same definition.
Json write_definition(const core::JobDefinition& job);

// A job as it is returned. `next` is the next instant it will run, as far as known.
struct JobView {
  std::string tenant;
  std::string home_region;
  std::string next_scheduled_run;  // with the zone's offset; empty: never
  core::JobStatus status{};        // at this moment
  store::JobHealth health = {};
};
Json write_job(const store::JobRow& job, const JobView& view);

}  // namespace belfry::api
