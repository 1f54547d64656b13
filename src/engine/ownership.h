#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "store/ownership.h"

#include <cstddef>
#include <map>
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
// Every node aims at its exact share of the partitions of its region. It takes orphans up to that,
// and offers what it has beyond it: the caller finishes what is in flight and then calls release.
class Ownership {
 public:
  struct Changes {
    BootInstant asked;  // when the store was asked, and answered, and what its clock said
    BootInstant answered;
    Instant now;
    std::vector<store::OwnedPartition> mine;    // all, as the store has them now
    std::vector<store::OwnedPartition> gained;  // of those, the new ones
    std::vector<PartitionNo> lost;
    std::vector<store::OwnershipStore::Holding> surplus;
    std::size_t failovers = 0;  // of those gained: from nodes that were gone
  };

  Ownership(store::OwnershipStore& store, const Clock& clock, store::OwnershipStore::Node node,
            OwnershipConfig config)
      : store_(store), clock_(clock), node_(std::move(node)), config_(config) {}

  // Renews, compares with what the store says, takes up to its share of orphans.
  Result<Changes> run_once();

  // Gives partitions up; call it when nothing is in flight for them.
  Status release(const std::vector<store::OwnershipStore::Holding>& holdings);

  // Lets others take over, while we go on until they have.
  Status retire() { return store_.retire(node_); }

  // Hands everything over at once.
  Status leave();

  // Whether there was no other node to take over when we last looked.
  bool alone() const { return alone_; }

  // Whatever we own is gained anew by the next run_once.
  void forget() { owned_.clear(); }

  // Until when the lease can be trusted.
  BootInstant deadline() const { return deadline_; }
  bool trusted() const { return clock_.boot_now() < deadline_; }

  const store::OwnershipStore::Node& node() const { return node_; }
  const OwnershipConfig& config() const { return config_; }
  std::size_t owned() const { return owned_.size(); }

 private:
  std::size_t share_of(const store::OwnershipStore::Membership& membership) const;
  void read_clock(Changes& changes);
  bool are_known(const std::vector<store::OwnedPartition>& mine) const;
  void compare(const std::vector<store::OwnedPartition>& mine, Changes& changes);

  store::OwnershipStore& store_;
  const Clock& clock_;
  const store::OwnershipStore::Node node_;
  const OwnershipConfig config_;
  BootInstant deadline_ = BootInstant::min();
  std::map<PartitionNo, Epoch> owned_;
  bool alone_ = true;
};

}  // namespace belfry::engine
