#pragma once

#include "store/author.h"
#include "store/rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

// Making jobs, and replacing them by name.
namespace belfry::store {

struct NewJob {
  TenantId tenant;
  RegionNo region;  // of a job that is made; one that is replaced stays where it is
  core::JobDefinition definition;
};

// An Idempotency-Key. The first request under it is remembered for a day with the jobs it led to;
// the same request again answers with them and changes nothing.
struct IdempotencyKey {
  TenantId tenant;
  std::string key;
  std::string fingerprint;  // of the request: the same key with another one is refused
};

// One request, all or nothing: up to 10,000 jobs.
struct Registration {
  std::span<const NewJob> jobs;
  bool replace = false;  // a name that is taken is replaced instead of refused
  bool paused = false;   // jobs that are made start paused; one that is replaced stays as it is
  Author author = {};
  std::optional<IdempotencyKey> idempotency = {};
};

struct RegisteredJob {
  enum class Outcome : std::uint8_t {
    kCreated,
    kReplaced,   // a new revision; a cancelled or completed job is active again
    kUnchanged,  // it was defined just like that: nothing was written
    kRepeated,   // an earlier request under the same key did it; the job as it is now
  };
  JobRow job;
  Outcome outcome{};
};

}  // namespace belfry::store
