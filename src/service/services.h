#pragma once

#include "base/clock.h"
#include "base/log/log.h"
#include "base/metrics/metrics.h"
#include "core/schedule/zone_catalog.h"
#include "engine/dispatch/dispatch.h"
#include "engine/dispatch/recent_workers.h"
#include "engine/observer.h"
#include "service/access/admission.h"
#include "service/access/job_owners.h"
#include "service/access/key_ring.h"
#include "service/access/regions.h"
#include "service/access/tenant_names.h"
#include "service/health/health.h"
#include "service/jobs/forecaster.h"
#include "service/jobs/registrar.h"
#include "service/jobs/type_defaults.h"
#include "service/secrets/secret_box.h"
#include "service/work/cancel_watch.h"
#include "service/work/check_ins.h"
#include "store/store.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace belfry::service {

// What this node can see of those who take runs. From any thread.
struct Reach {
  // Workers that have asked here lately and take the tenant's runs; at most so many.
  std::function<std::vector<engine::RecentWorkers::Worker>(TenantId tenant, std::size_t most)>
      workers;
  // Whether a webhook could call this URL; the answer may come later, from another thread, or, when
  // the node ends, never.
  std::function<void(const std::string& url, TenantId tenant, std::function<void(Status)>)> check;
};

// What `api` and `rpc` work with to serve callers. The server wires it, and it outlives them.
struct Services {
  store::Store& store;
  engine::Dispatch& dispatch;
  core::ZoneCatalog& zones;
  const Clock& clock;
  MetricRegistry& metrics;
  Logger& log;
  engine::Observer& observer;    // told what changes of jobs decide in the engine's stead
  std::function<Instant()> now;  // the database's clock, as far as this node knows it
  Registrar& registrar;
  KeyRing& keys;
  Admission& admission;
  Regions& regions;
  JobOwners& job_owners;
  TenantNames& tenants;
  TypeDefaults& type_defaults;
  Forecaster& forecaster;
  CancelWatch& cancels;
  CheckIns& check_ins;
  Health& health;
  SecretBox& secrets;
  std::function<void()> wake_bulk;  // there is bulk work to do
  RegionNo home_region;             // of this node: where jobs live unless told otherwise
  Reach reach;
  double trace_ratio = 1;  // of all runs: those whose spans are recorded
};

}  // namespace belfry::service
