#pragma once

#include "base/clock.h"
#include "engine/chores/archivist.h"
#include "engine/node.h"
#include "server/couriers/deliveries.h"
#include "service/health/health_facts.h"

namespace belfry::server {

// What a node knows of itself. `deliveries` is null before they have started.
service::NodeFacts node_facts(engine::Node& node, const Deliveries* deliveries, const Clock& clock);

// What the archive refuses; none: nothing.
std::optional<service::NodeFacts::Archive> archive_facts(const engine::Archivist& archivist,
                                                         const Clock& clock);

// What it says of itself to the others.
store::NodeNote node_note(engine::Node& node, const Clock& clock);

}  // namespace belfry::server
