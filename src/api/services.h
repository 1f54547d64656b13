#pragma once

#include "api/cancel_watch.h"
#include "api/event_hub.h"
#include "api/forecaster.h"
#include "api/gate.h"
#include "api/job_tenants.h"
#include "api/key_ring.h"
#include "api/regions.h"
#include "api/registrar.h"
#include "api/tenant_names.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "core/zone_catalog.h"
#include "net/server.h"
#include "store/dispatch.h"
#include "store/store.h"

#include <functional>

namespace belfry::api {

// Runs for past ticks of a job's schedule, or what they would be: the engine's rule.
struct BackfillAnswer {
  std::int64_t ticks = 0;
  std::int64_t created = 0;
  std::int64_t excluded = 0;
  std::int64_t undecided = 0;
  std::vector<Tick> existing;
};
struct BackfillAsk {
  JobId job;
  Instant from;
  Instant to;
  bool dry_run = false;
  store::Author author;
};
using Backfill = std::function<Result<BackfillAnswer>(const BackfillAsk&)>;

// What handlers work with. The server wires it; all of it outlives the API.
struct Services {
  store::Store& store;
  store::Dispatch& dispatch;
  core::ZoneCatalog& zones;
  const Clock& clock;
  MetricRegistry& metrics;
  Logger& log;
  store::JobStore::Settle settle;  // how a change decides what was due before it: the engine's rule
  Backfill backfill;               // and how it fills past ticks
  std::function<Instant()> now;    // the database's clock, as far as this node knows it
  Registrar& registrar;
  KeyRing& keys;
  Gate& gate;
  Regions& regions;
  JobTenants& job_tenants;
  TenantNames& tenants;
  Forecaster& forecaster;
  EventHub* events = nullptr;  // the API server's own, as the next; it puts them here
  CancelWatch* cancels = nullptr;
  // Work that may wait, on a thread of the API server's; false: there are none free.
  std::function<bool(std::function<void()>)> later = {};
  RegionNo home_region;  // of this node: where jobs live when nobody says otherwise
};

}  // namespace belfry::api
