#pragma once

#include "store/ownership.h"

#include <functional>
#include <vector>

namespace belfry::engine {

// What a node has to take so that every node of a region has its share.
struct TakeoverPlan {
  using Holding = store::OwnershipStore::Holding;
  std::vector<Holding> at_once;       // nobody decides for these
  std::vector<Holding> loaded_first;  // somebody does, until they are taken
};

// The partitions divided by the live nodes; if that leaves a rest, the first nodes, in the order of
// their incarnations, get one more each.
std::size_t share_of(const std::vector<Incarnation>& live, const Incarnation& node);

// What `node` should take. All nodes that see the same come to plans that do not overlap; where
// they see different things the epochs keep them apart, and the next look mends it.
//
// First go partitions that nobody decides for: without an owner, or whose owner's lease is over.
// Then those of nodes that have retired, which have no row any more and decide until they are
// relieved, and what live nodes have beyond their shares. `is_live` says which of the nodes count.
using IsLive = std::function<bool(const store::OwnershipStore::LiveNode&)>;
TakeoverPlan plan_takeover(const store::OwnershipStore::Holders& holders, const Incarnation& node,
                           const IsLive& is_live);

}  // namespace belfry::engine
