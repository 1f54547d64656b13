#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "engine/ownership/lost_commits.h"
#include "store/ownership.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace belfry::engine {

struct OwnershipConfig {
  Duration ttl = std::chrono::seconds(5);
  Duration renew = std::chrono::seconds(1);
};

// Which partitions this node owns.
//
// The store is authoritative: a partition is owned through (incarnation, epoch), and whatever is
// written under an old epoch changes nothing. This object is what the node may believe of it. It
// believes nothing any more once its own deadline has passed: the lease, counted on the boot clock
// from the *start* of the last renewal that was confirmed, less a fifth for clocks that run
// differently. Doubt means "not owner".
//
// Every node aims at its exact share of the partitions of its region (takeover_plan.h). It takes at
// once what nobody decides for. What another node decides for, which has more than its share or is
// on its way out, it takes when it has loaded the jobs. The other does not have to do anything: it
// finds another epoch. If a node falls silent, the others load its jobs before its lease is over.
class Ownership {
 public:
  struct Changes {
    BootInstant asked;  // when the store was asked, and answered, and what its clock said
    BootInstant answered;
    Instant now;
    std::vector<store::OwnedPartition> mine;    // all, as the store has them now
    std::vector<store::OwnedPartition> gained;  // of those, the new ones
    std::vector<PartitionNo> lost;
    std::set<Incarnation> nodes;  // those of the region that are alive
    // What to load; none: the store did not say, so what was planned before holds.
    struct Loads {
      std::vector<PartitionNo> to_take;  // they are taken when that is done
      std::vector<PartitionNo> in_case;  // a node that fell silent is dead
    };
    std::optional<Loads> loads;
    bool complete = false;      // it has its share
    std::size_t failovers = 0;  // of those gained: from nodes that were gone
    std::optional<LostCommits> lost_commits;
  };

  Ownership(store::OwnershipStore& store, const Clock& clock, store::OwnershipStore::Node node,
            OwnershipConfig config)
      : store_(store), clock_(clock), node_(std::move(node)), config_(config) {}

  // What was planned and can tick right after it has been taken.
  struct Loaded {
    std::span<const PartitionNo> partitions;
    std::size_t most = kPartitionCount;  // to be taken now
  };

  // Renews, compares with what the store says, takes up to its share: orphans, and of what was
  // planned what is `loaded` by now.
  Result<Changes> run_once(const Loaded& loaded);

  // Lets others take over, while we go on until they have.
  Status retire() { return store_.retire(node_); }

  // Whether somebody still has to take over from us, and there is somebody.
  Result<bool> is_awaited() const;

  // Hands everything over at once.
  Status leave();

  // Whether there was no other node to take over when we last looked.
  bool alone() const { return alone_; }

  // Whatever we own is gained anew by the next run_once, and what we do not own any more is lost:
  // the ticker may not have noticed the doubt.
  void forget() {
    forgotten_.merge(owned_);
    owned_.clear();
  }

  // When to look again, if that is before the next renewal: a silent node's lease ends.
  std::optional<BootInstant> look_at() const { return look_at_; }

  // Until when the lease can be trusted.
  BootInstant deadline() const { return deadline_; }
  bool trusted() const { return clock_.boot_now() < deadline_; }

  const store::OwnershipStore::Node& node() const { return node_; }
  const OwnershipConfig& config() const { return config_; }
  std::size_t owned() const { return owned_.size(); }

 private:
  Result<std::vector<store::OwnedPartition>> take_share(
      const store::OwnershipStore::Membership& membership, const Loaded& loaded, Changes& changes);
  bool is_silent(const store::OwnershipStore::LiveNode& node, Instant now) const;
  void watch(const store::OwnershipStore::Membership& membership, BootInstant answered);
  void read_clock(Changes& changes);
  bool are_known(const std::vector<store::OwnedPartition>& mine) const;
  void compare(const std::vector<store::OwnedPartition>& mine, Changes& changes);

  store::OwnershipStore& store_;
  const Clock& clock_;
  const store::OwnershipStore::Node node_;
  const OwnershipConfig config_;
  BootInstant deadline_ = BootInstant::min();
  std::map<PartitionNo, Epoch> owned_;
  std::map<PartitionNo, Epoch> forgotten_;  // owned before a doubt; not compared since
  LossWatch loss_watch_;
  bool alone_ = true;
  std::optional<BootInstant> look_at_;
};

}  // namespace belfry::engine
