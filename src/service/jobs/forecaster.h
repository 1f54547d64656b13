#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "core/schedule/zone_catalog.h"
#include "store/store.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace belfry::service {

struct Forecast {
  Instant from;  // a full minute
  bool exact = true;
  std::vector<std::uint64_t> minutes;
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

 private:
  struct Kept {
    Forecast forecast;  // for a whole week
    BootInstant until;
  };
  Result<Forecast> compute(TenantId tenant, Instant now);

  store::Store& store_;
  core::ZoneCatalog& zones_;
  const Clock& clock_;
  std::atomic<int> inside_{0};
  Mutex mutex_;
  std::map<TenantId, Kept> kept_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
