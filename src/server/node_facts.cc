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
                           .lost_commits = standing.lost_commits,
                           .served = node.dispatcher().served()};
  if (standing.heard_at) facts.unheard_for = clock.boot_now() - *standing.heard_at;
  if (const auto now = node.now()) facts.clock_offset = clock.wall_now() - *now;
  if (deliveries != nullptr) add_deliveries(*deliveries, facts);
  return facts;
}

std::optional<service::NodeFacts::Archive> archive_facts(const engine::Archivist& archivist,
                                                         const Clock& clock) {
  const auto refusal = archivist.refusal();
  if (!refusal) return {};
  return service::NodeFacts::Archive{.refused_for = clock.boot_now() - refusal->since,
                                     .error = refusal->error.message};
}

store::NodeNote node_note(engine::Node& node, const Clock& clock) {
  const engine::Node::Standing standing = node.standing();
  store::NodeNote note{.node = node.self().incarnation};
  if (const auto now = node.now()) note.clock_offset = clock.wall_now() - *now;
  if (!standing.broken) return note;
  note.broken = *standing.broken;
  for (int slice = 0; slice < kPartitionCount; ++slice) {
    if (!standing.known[static_cast<std::size_t>(slice)]) continue;
    note.partitions.push_back(
        partition_no(node.self().region, PartitionId(static_cast<std::uint8_t>(slice))));
  }
  return note;
}

}  // namespace belfry::server
