#include "server/node_services.h"

namespace belfry::server {

NodeServices::NodeServices(const World& world)
    : registrar_(world.store, world.observer),
      keys_(world.store, world.clock, world.owner, world.oidc),
      admission_(world.store, keys_, world.clock, world.metrics, world.log),
      regions_(world.store),
      job_owners_(world.store),
      tenants_(world.store),
      forecaster_(world.store, world.zones, world.clock),
      cancels_(world.store, world.later),
      health_({.store = world.store,
               .zones = world.zones,
               .clock = world.clock,
               .self = world.self,
               .now = world.now,
               .node = world.facts}),
      services_{.store = world.store,
                .dispatch = world.dispatch,
                .zones = world.zones,
                .clock = world.clock,
                .metrics = world.metrics,
                .log = world.log,
                .observer = world.observer,
                .now = world.now,
                .registrar = registrar_,
                .keys = keys_,
                .admission = admission_,
                .regions = regions_,
                .job_owners = job_owners_,
                .tenants = tenants_,
                .forecaster = forecaster_,
                .cancels = cancels_,
                .health = health_,
                .secrets = world.secrets,
                .wake_bulk = world.wake_bulk,
                .home_region = world.home_region} {}

}  // namespace belfry::server
