#include "engine/ownership.h"

#include <algorithm>

namespace belfry::engine {

using store::OwnedPartition;
using store::OwnershipStore;

// The partitions divided by the live nodes of the region; if that leaves a rest, the first nodes,
// in the order of their incarnations, get one more each.
std::size_t Ownership::share_of(const OwnershipStore::Membership& membership) const {
  std::vector<Incarnation> nodes;
  for (const auto& node : membership.nodes) nodes.push_back(node.incarnation);
  if (nodes.empty()) return kPartitionCount;
  std::sort(nodes.begin(), nodes.end());
  const auto me = std::find(nodes.begin(), nodes.end(), node_.incarnation);
  const auto rank = static_cast<std::size_t>(me - nodes.begin());
  return kPartitionCount / nodes.size() + (rank < kPartitionCount % nodes.size() ? 1 : 0);
}

// Mostly nothing has changed.
bool Ownership::are_known(const std::vector<OwnedPartition>& mine) const {
  return std::ranges::equal(mine, owned_, [](const OwnedPartition& partition, const auto& known) {
    return partition.partition == known.first && partition.epoch == known.second;
  });
}

// Finds what is new and what is gone, and remembers `mine`.
void Ownership::compare(const std::vector<OwnedPartition>& mine, Changes& changes) {
  std::map<PartitionNo, Epoch> now_owned;
  for (const OwnedPartition& partition : mine) {
    const auto known = owned_.find(partition.partition);
    const bool same = known != owned_.end() && known->second == partition.epoch;
    if (!same) changes.gained.push_back(partition);
    if (partition.failover) ++changes.failovers;
    now_owned[partition.partition] = partition.epoch;
  }
  for (const auto& [partition, epoch] : owned_) {
    if (!now_owned.contains(partition)) changes.lost.push_back(partition);
  }
  owned_ = std::move(now_owned);
}

Result<Ownership::Changes> Ownership::run_once() {
  const BootInstant asked = clock_.boot_now();
  if (!trusted()) forget();  // after a doubt
  BELFRY_TRY(membership, store_.renew(node_, config_.ttl));
  const BootInstant answered = clock_.boot_now();
  deadline_ = asked + config_.ttl * 4 / 5;
  alone_ = membership.nodes.size() < 2;

  std::vector<OwnedPartition> mine = membership.mine;
  const std::size_t share = share_of(membership);
  if (mine.size() < share && membership.orphans > 0) {
    // A lost reply costs nothing: the next renewal tells what was taken.
    const auto taken = store_.acquire(node_, share - mine.size());
    if (taken) mine.insert(mine.end(), taken->begin(), taken->end());
  }

  Changes changes{.asked = asked, .answered = answered, .now = membership.now};
  read_clock(changes);
  if (!are_known(mine)) compare(mine, changes);
  changes.mine = std::move(mine);
  std::size_t surplus = owned_.size() > share ? owned_.size() - share : 0;
  for (auto it = owned_.rbegin(); surplus > 0; ++it, --surplus) {
    changes.surplus.push_back({it->first, it->second});
  }
  return changes;
}

// A renewal has to reach the disk. A plain question is answered sooner, which says more exactly
// what the store's clock is.
void Ownership::read_clock(Changes& changes) {
  const BootInstant asked = clock_.boot_now();
  const auto now = store_.clock();
  const BootInstant answered = clock_.boot_now();
  if (!now || answered - asked >= changes.answered - changes.asked) return;
  changes.asked = asked;
  changes.answered = answered;
  changes.now = *now;
}

Status Ownership::release(const std::vector<OwnershipStore::Holding>& holdings) {
  for (const auto& holding : holdings) owned_.erase(holding.partition);
  return store_.release(node_, holdings);
}

Status Ownership::leave() {
  owned_.clear();
  deadline_ = BootInstant::min();
  return store_.leave(node_);
}

}  // namespace belfry::engine
