#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "core/schedule/zone_catalog.h"
#include "core/timetable/herd.h"
#include "store/store.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belfry::service {

struct Forecast {
  Instant from;  // a full minute
  bool exact = true;
  std::vector<std::uint64_t> minutes;
};

// A minute in which many runs start, and the changes that would halve it (core/timetable/herd.h).
struct HerdReport {
  struct Minute {
    Instant at;
    std::size_t before = 0;
    std::size_t after = 0;
    std::vector<std::string> jobs;  // names of those that have a run in it
  };
  struct Change {
    JobId job;
    std::string name;
    std::uint32_t revision = 0;  // of the job that was looked at
    core::HerdSpread spread;
  };
  Instant from;
  bool exact = true;
  std::vector<Minute> minutes;  // the fullest first
  std::vector<Change> changes;
};

// How many runs each coming minute will start for a tenant. The jobs are read page by page and
// their ticks counted by schedule, which takes a second for a large tenant; so the answer is kept
// for a minute. Only one is computed at a time, and few calls wait for it. The others get
// kUnavailable, because they would keep the threads of all calls busy. Thread-safe.
class Forecaster {
 public:
  Forecaster(store::Store& store, core::ZoneCatalog& zones, const Clock& clock)
      : store_(store), zones_(zones), clock_(clock) {}

  Result<Forecast> forecast(TenantId tenant, Instant now, std::size_t hours);
  // The fullest minutes, and how to spread them: always as the jobs are now.
  Result<HerdReport> advise(TenantId tenant, Instant now, std::size_t hours);

 private:
  struct Kept {
    Forecast forecast;  // for a whole week
    BootInstant until;
  };
  using Visitor = std::function<void(const store::JobRow& job, Instant after)>;
  // Those that run by themselves, each with the instant after which they do; false if that was not
  // all of them.
  Result<bool> for_each_job(TenantId tenant, const Visitor& visit);
  Result<Forecast> compute(TenantId tenant, Instant now);
  Result<const Forecast*> renew(TenantId tenant, Instant now) BELFRY_REQUIRES(mutex_);

  store::Store& store_;
  core::ZoneCatalog& zones_;
  const Clock& clock_;
  std::atomic<int> inside_{0};
  Mutex mutex_;
  std::map<TenantId, Kept> kept_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
