#include "engine/ownership/ownership.h"

#include "engine/ownership/takeover_plan.h"

#include <algorithm>

namespace belfry::engine {

using store::OwnedPartition;
using store::OwnershipStore;

// Mostly nothing has changed.
bool Ownership::are_known(const std::vector<OwnedPartition>& mine) const {
  if (!forgotten_.empty()) return false;
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
  forgotten_.merge(owned_);
  for (const auto& [partition, epoch] : forgotten_) {
    if (!now_owned.contains(partition)) changes.lost.push_back(partition);
  }
  forgotten_.clear();
  owned_ = std::move(now_owned);
}

// It has missed a renewal: its lease is shorter than one of ours ever is.
bool Ownership::is_silent(const OwnershipStore::LiveNode& node, Instant now) const {
  return node.lease_until - now < config_.ttl - 2 * config_.renew;
}

void Ownership::watch(const OwnershipStore::Membership& membership, BootInstant answered) {
  constexpr Duration kAfterwards = std::chrono::milliseconds(5);
  look_at_.reset();
  for (const auto& node : membership.nodes) {
    if (!is_silent(node, membership.now)) continue;
    const BootInstant end = answered + (node.lease_until - membership.now) + kAfterwards;
    look_at_ = look_at_ ? std::min(*look_at_, end) : end;
  }
}

// Takes what may be taken now and says what is to be loaded. A lost reply costs nothing: the next
// renewal tells what was taken.
Result<std::vector<OwnedPartition>> Ownership::take_share(
    const OwnershipStore::Membership& membership, const Loaded& loaded, Changes& changes) {
  std::vector<Incarnation> live;
  for (const auto& node : membership.nodes) live.push_back(node.incarnation);
  std::ranges::sort(live);
  const std::size_t share = share_of(live, node_.incarnation);
  changes.complete = membership.mine.size() >= share;
  Changes::Loads loads;
  if (changes.complete && !look_at_) {
    changes.loads = loads;
    return std::vector<OwnedPartition>();
  }
  BELFRY_TRY(holders, store_.holders(node_.region));
  const auto is_live = [&](const OwnershipStore::LiveNode& node) {
    return node.lease_until > holders.now;
  };
  TakeoverPlan plan = plan_takeover(holders, node_.incarnation, is_live);
  std::vector<OwnershipStore::Holding> wanted = plan.at_once;
  for (const auto& holding : plan.loaded_first) {
    const bool ready =
        std::ranges::find(loaded.partitions, holding.partition) != loaded.partitions.end();
    if (ready && wanted.size() < plan.at_once.size() + loaded.most) {
      wanted.push_back(holding);
    } else {
      loads.to_take.push_back(holding.partition);
    }
  }
  if (look_at_) {
    const auto is_heard = [&](const OwnershipStore::LiveNode& node) {
      return is_live(node) && !is_silent(node, holders.now);
    };
    for (const auto& holding : plan_takeover(holders, node_.incarnation, is_heard).at_once) {
      const auto same = [&](const auto& each) { return each.partition == holding.partition; };
      if (!std::ranges::any_of(wanted, same)) loads.in_case.push_back(holding.partition);
    }
  }
  std::vector<OwnedPartition> taken;
  if (!wanted.empty()) {
    BELFRY_TRY(answer, store_.take(node_, wanted));
    taken = std::move(answer);
  }
  changes.complete = membership.mine.size() + taken.size() >= share;
  changes.loads = std::move(loads);
  return taken;
}

Result<Ownership::Changes> Ownership::run_once(const Loaded& loaded) {
  const BootInstant asked = clock_.boot_now();
  if (!trusted()) forget();  // after a doubt
  BELFRY_TRY(membership, store_.renew(node_, config_.ttl));
  const BootInstant answered = clock_.boot_now();
  deadline_ = asked + config_.ttl * 4 / 5;
  alone_ = membership.nodes.size() < 2;
  watch(membership, answered);

  Changes changes{.asked = asked, .answered = answered, .now = membership.now};
  for (const auto& node : membership.nodes) changes.nodes.insert(node.incarnation);
  changes.lost_commits = loss_watch_.note(membership, config_.ttl, config_.renew);
  read_clock(changes);
  std::vector<OwnedPartition> mine = membership.mine;
  const auto taken = take_share(membership, loaded, changes);
  if (taken) mine.insert(mine.end(), taken->begin(), taken->end());
  std::ranges::sort(mine, {}, &OwnedPartition::partition);
  if (!are_known(mine)) compare(mine, changes);
  changes.mine = std::move(mine);
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

Result<bool> Ownership::is_awaited() const {
  BELFRY_TRY(holders, store_.holders(node_.region));
  const bool owns = std::ranges::any_of(
      holders.holders, [&](const auto& holder) { return holder.owner == node_.incarnation; });
  return owns && std::ranges::any_of(holders.nodes, [&](const auto& node) {
           return node.incarnation != node_.incarnation && node.lease_until > holders.now;
         });
}

Status Ownership::leave() {
  owned_.clear();
  deadline_ = BootInstant::min();
  return store_.leave(node_);
}

}  // namespace belfry::engine
