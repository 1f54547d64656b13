#pragma once

#include "base/json.h"
#include "base/time.h"
#include "cli/files/fire_diff.h"
#include "client/client.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Minutes in which many jobs start together, and changes of their schedules that would halve them.
namespace belfry::cli {

// A minute, the jobs that make it, and how many runs start in it before and after the changes.
struct HerdMinute {
  Instant at;
  std::size_t before = 0;
  std::size_t after = 0;
  std::vector<std::string> jobs;  // their names, in order
};

// One field of a job's schedule, and the change that spreads it.
struct HerdChange {
  Json job;
  std::string field;  // `cron_expression` or `jitter`
  std::string before;
  std::string after;
};

struct HerdAdvice {
  std::vector<HerdMinute> minutes;  // the worst first
  std::vector<HerdChange> changes;
};

struct HerdAsk {
  Instant from;
  std::size_t hours = 24;
  std::size_t most = 5;  // minutes
};

// When a job, as it is or with a change, fires.
using FiresOf = std::function<client::Answer<Fires>(const Json& job)>;

// Proposes `H` for the minute of a cron expression that runs in every hour, and jitter for other
// schedules; never more changes than it takes to halve a minute. `jobs` are normalised and active.
// Each change was tried: the numbers are those of the schedules as they would be.
client::Answer<HerdAdvice> advise(const std::vector<Json>& jobs, const HerdAsk& ask,
                                  const FiresOf& fires_of);

// The change that would spread a job; its field is empty when there is none.
HerdChange spreading(const Json& job);

}  // namespace belfry::cli
