#pragma once

#include "base/json.h"
#include "base/time.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace belfry::worker {

// How a worker shows that it holds a run.
struct Grant {
  std::string run_id;
  std::uint64_t fence = 0;
  friend auto operator<=>(const Grant&, const Grant&) = default;
};

// A run handed to this worker: one attempt at it.
struct Task {
  std::string run_id;
  std::uint64_t fence =
      0;  // grows with every grant: a sink that keeps the highest refuses stale ones
  std::uint32_t attempt = 1;
  std::string job_id;
  std::string job_name;
  std::string job_type;
  std::string tenant;
  std::string scheduled_for;  // RFC 3339
  std::string deadline;       // RFC 3339
  std::int64_t stands_for = 1;
  std::string idempotency_key;  // the same for all attempts of the run
  std::string traceparent;      // the attempt's place in the run's trace (W3C)
  Json target;
  Json payload;
  std::string payload_text;                    // the same, byte for byte as its user wrote it
  Duration timeout = std::chrono::minutes(5);  // from the grant to the deadline
  Duration age{};  // since the grant, at most, when it was handed to the runtime

  Grant grant() const { return {run_id, fence}; }
};

struct Progress {
  std::int64_t done = 0;
  std::int64_t total = 0;
  friend bool operator==(const Progress&, const Progress&) = default;
};

}  // namespace belfry::worker
