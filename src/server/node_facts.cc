#include "server/node_facts.h"

namespace belfry::server {
namespace {

void add_deliveries(const Deliveries& deliveries, service::NodeFacts& facts) {
  const Deliveries::Trouble trouble = deliveries.trouble();
  for (const std::string& name : deliveries.brokers()) {
    service::NodeFacts::Broker broker{.name = name};
    for (const auto& away : trouble.brokers) {
      if (away.name != name) continue;
      broker.away_for = away.away_for;
      broker.error = away.error;
    }
    facts.brokers.push_back(std::move(broker));
  }
  for (const auto& silent : trouble.endpoints) {
    facts.endpoints.push_back({silent.host, TenantId(silent.tenant), silent.silent_for});
  }
}

}  // namespace

service::NodeFacts node_facts(engine::Node& node, const Deliveries* deliveries,
                              const Clock& clock) {
  const engine::Node::Standing standing = node.standing();
  service::NodeFacts facts{.name = node.self().name,
                           .waits_for = standing.waits_for(),
                           .first_undecided = standing.first_undecided,
                           .answer_time = standing.answer_time,
                           .refusal = standing.refusal,
                           .clock_stepped = standing.clock_stepped,
                           .served = node.dispatcher().served()};
  if (standing.heard_at) facts.unheard_for = clock.boot_now() - *standing.heard_at;
  if (const auto now = node.now()) facts.clock_offset = clock.wall_now() - *now;
  if (deliveries != nullptr) add_deliveries(*deliveries, facts);
  return facts;
}

}  // namespace belfry::server
