#pragma once

#include "service/services.h"

namespace belfry::server {

// The services of one node, made and kept together.
class NodeServices {
 public:
  // What they are made from; all of it must outlive them.
  struct World {
    store::Store& store;
    engine::Dispatch& dispatch;
    core::ZoneCatalog& zones;
    const Clock& clock;
    MetricRegistry& metrics;
    Logger& log;
    engine::Observer& observer;
    std::function<Instant()> now;
    service::Oidc* oidc = nullptr;                 // none: only our own keys are known
    std::optional<service::NodeOwner> owner = {};  // none: everybody needs a key
    service::CancelWatch::Later later;             // not called before somebody pokes the watch
    Incarnation self;
    std::function<service::NodeFacts()> facts;  // of the node
    RegionNo home_region;
    service::SecretBox& secrets;
    std::function<void()> wake_bulk;
    service::Reach reach;
    double trace_ratio = 1;
  };
  explicit NodeServices(const World& world);

  const service::Services& get() const { return services_; }
  service::Health& health() { return health_; }

 private:
  service::Registrar registrar_;
  service::KeyRing keys_;
  service::Admission admission_;
  service::Regions regions_;
  service::JobOwners job_owners_;
  service::TenantNames tenants_;
  service::TypeDefaults type_defaults_;
  service::Forecaster forecaster_;
  service::CancelWatch cancels_;
  service::CheckIns check_ins_;
  service::Health health_;
  const service::Services services_;
};

}  // namespace belfry::server
