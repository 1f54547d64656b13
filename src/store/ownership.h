#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Who owns which partition, and who leads.
namespace belfry::store {

// Grows with each change of a partition's jobs that its owner has to know of.
using JobsVersion = Strong<struct JobsVersionTag, std::uint64_t>;

// Grows when a standby is promoted, which may have lost the last commits: versions and cursors of
// different eras do not compare. Epochs carry it.
using Era = Strong<struct EraTag, std::uint64_t>;

constexpr Era era_of(Epoch epoch) {
  return Era(epoch.value() >> 40);
}

// A partition as its new owner finds it.
struct OwnedPartition {
  PartitionNo partition;
  Epoch epoch;
  Instant decided_through;
  JobsVersion version;
  bool failover = false;  // by acquire: its last owner was gone without giving it up
};

class OwnershipStore {
 public:
  virtual ~OwnershipStore() = default;

  // The database clock.
  virtual Result<Instant> clock() = 0;

  struct Node {
    Incarnation incarnation;
    std::string name;
    RegionNo region;
  };
  struct LiveNode {
    Incarnation incarnation;
    std::string name;
    std::size_t partitions = 0;
    Instant lease_until = {};
  };
  struct Membership {
    Instant now;
    std::vector<LiveNode> nodes;       // of the region, alive, the caller included; by incarnation
    std::vector<OwnedPartition> mine;  // what the store says the caller owns
    std::size_t orphans = 0;           // of the region: without an owner, or whose owner is dead
    Era era = {};
    std::optional<Instant> lease_before = {};  // the caller's lease as this call found it
  };

  // Announces a node, or prolongs its lease, and returns the membership. Repeating is harmless.
  virtual Result<Membership> renew(const Node& node, Duration ttl) = 0;

  // Takes up to `most` orphans of the region; each gets a new epoch. If the reply is lost, renew
  // tells what was taken.
  virtual Result<std::vector<OwnedPartition>> acquire(const Node& node, std::size_t most) = 0;

  // Who has which partition of a region. Changes nothing.
  struct Holder {
    PartitionNo partition;
    Epoch epoch;
    Incarnation owner;  // zero: nobody
  };
  struct Holders {
    Instant now;
    std::vector<LiveNode> nodes;  // of the region, also those whose lease is over; by incarnation
    std::vector<Holder> holders;  // by partition
  };
  virtual Result<Holders> holders(RegionNo region) = 0;

  // Takes these partitions, whoever has them, where the epoch is still this one; each gets a new
  // one. The caller decides whether that is wise; that nothing is lost or doubled is the epoch's
  // doing. Takes nothing for a node without a live lease. If the reply is lost, renew tells what
  // was taken.
  struct Holding {
    PartitionNo partition;
    Epoch epoch;
  };
  virtual Result<std::vector<OwnedPartition>> take(const Node& node,
                                                   std::span<const Holding> holdings) = 0;

  // Gives partitions up, where the caller still owns them under that epoch.
  virtual Status release(const Node& node, std::span<const Holding> holdings) = 0;

  // Ends the node's lease, so that others take over what it owns; until they have, it may go on
  // deciding under its epochs. Nothing ticks late because a node is told to stop.
  virtual Status retire(const Node& node) = 0;

  // Ends the node's lease and gives up all it still owns, the leader's lease included.
  virtual Status leave(const Node& node) = 0;

  // Takes the leader's lease, whose holder does the cluster's chores. Returns the term, or
  // kConflict when another node holds the lease. The holder prolongs it, under the same term,
  // by repeating.
  virtual Result<std::uint64_t> lead(const Node& node, Duration ttl) = 0;
};

}  // namespace belfry::store
