#pragma once

#include "base/clock.h"
#include "engine/node.h"
#include "server/couriers/deliveries.h"
#include "service/health/health_facts.h"

namespace belfry::server {

// What a node knows of itself. `deliveries` is null before they have started.
service::NodeFacts node_facts(engine::Node& node, const Deliveries* deliveries, const Clock& clock);

}  // namespace belfry::server
