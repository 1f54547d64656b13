#include "engine/ownership/takeover_plan.h"

#include <algorithm>
#include <map>

namespace belfry::engine {
namespace {

using store::OwnershipStore;

struct Free {
  OwnershipStore::Holding holding;
  bool decided_for = false;  // somebody still decides for it
};

// What can be taken, in the order in which it is handed out.
std::vector<Free> free_partitions(const OwnershipStore::Holders& holders,
                                  const std::vector<Incarnation>& live) {
  std::vector<Free> orphans;
  std::vector<Free> retired;
  std::map<Incarnation, std::vector<OwnershipStore::Holding>> held;
  for (const auto& holder : holders.holders) {
    const OwnershipStore::Holding holding{holder.partition, holder.epoch};
    const auto same = [&](const auto& node) { return node.incarnation == holder.owner; };
    const bool known = std::ranges::any_of(holders.nodes, same);
    if (std::ranges::binary_search(live, holder.owner)) {
      held[holder.owner].push_back(holding);
    } else if (known || holder.owner == Incarnation()) {
      orphans.push_back({holding});
    } else {
      retired.push_back({holding, true});
    }
  }
  std::vector<Free> free = std::move(orphans);
  free.insert(free.end(), retired.begin(), retired.end());
  for (const Incarnation& node : live) {
    const auto& mine = held[node];
    for (std::size_t i = mine.size(); i > share_of(live, node); --i) {
      free.push_back({mine[i - 1], true});
    }
  }
  return free;
}

}  // namespace

std::size_t share_of(const std::vector<Incarnation>& live, const Incarnation& node) {
  if (live.empty()) return kPartitionCount;
  const auto rank = static_cast<std::size_t>(std::ranges::find(live, node) - live.begin());
  return kPartitionCount / live.size() + (rank < kPartitionCount % live.size() ? 1 : 0);
}

TakeoverPlan plan_takeover(const OwnershipStore::Holders& holders, const Incarnation& node,
                           const IsLive& is_live) {
  std::vector<Incarnation> live;
  for (const auto& other : holders.nodes) {
    if (is_live(other)) live.push_back(other.incarnation);
  }
  std::ranges::sort(live);
  const std::vector<Free> free = free_partitions(holders, live);
  std::size_t next = 0;
  for (const Incarnation& taker : live) {
    const auto owned = static_cast<std::size_t>(std::ranges::count(
        holders.holders, taker, [](const auto& holder) { return holder.owner; }));
    const std::size_t share = share_of(live, taker);
    const std::size_t need = std::min(share > owned ? share - owned : 0, free.size() - next);
    if (taker != node) {
      next += need;
      continue;
    }
    TakeoverPlan plan;
    for (const Free& each : std::span(free).subspan(next, need)) {
      (each.decided_for ? plan.loaded_first : plan.at_once).push_back(each.holding);
    }
    return plan;
  }
  return {};
}

}  // namespace belfry::engine
