#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

#include <algorithm>

namespace belfry::store::sqlite {

namespace {

PartitionNo first_of(RegionNo region) {
  return partition_no(region, PartitionId(0));
}
PartitionNo last_of(RegionNo region) {
  return partition_no(region, PartitionId(kPartitionCount - 1));
}

OwnedPartition read_owned(Row& row) {
  OwnedPartition owned;
  row.read(owned.partition, owned.epoch, owned.decided_through, owned.version);
  return owned;
}

}  // namespace

Result<Instant> SqliteStore::clock() {
  return now_();
}

Result<OwnershipStore::Membership> SqliteStore::renew(const Node& node, Duration ttl) {
  return write([&](const Session& session) -> Result<OwnershipStore::Membership> {
    Db& db = session.db;
    const Instant now = session.now;
    OwnershipStore::Membership result{.now = now};
    const auto note_lease = [&](Row& row) { row.read(result.lease_before.emplace()); };
    BELFRY_CHECK(db.each(kLeaseOf, note_lease, node.incarnation));
    BELFRY_TRY(newest, db.value<Epoch>(kNewestEpoch));
    result.era = era_of(newest);
    BELFRY_CHECK(db.run(kRenewNode, node.incarnation, node.name, node.region, now, now + ttl));
    const auto add_node = [&](Row& row) {
      auto& live = result.nodes.emplace_back();
      row.read(live.incarnation, live.name, live.lease_until);
    };
    BELFRY_CHECK(db.each(kLiveNodes, add_node, node.region, now));
    result.orphans = kPartitionCount;
    for (OwnershipStore::LiveNode& live : result.nodes) {
      BELFRY_TRY(partitions, db.value<std::int64_t>(kCountPartitions, live.incarnation));
      live.partitions = static_cast<std::size_t>(partitions);
      result.orphans -= live.partitions;
    }
    const auto add_mine = [&](Row& row) { result.mine.push_back(read_owned(row)); };
    BELFRY_CHECK(db.each(kPartitionsOf, add_mine, node.incarnation));
    return result;
  });
}

Result<std::vector<OwnedPartition>> SqliteStore::acquire(const Node& node, std::size_t most) {
  return write([&](const Session& session) -> Result<std::vector<OwnedPartition>> {
    std::vector<PartitionNo> abandoned;
    const auto add_abandoned = [&](Row& row) { row.read(abandoned.emplace_back()); };
    BELFRY_CHECK(session.db.each(kAbandonedPartitions, add_abandoned, first_of(node.region),
                                 last_of(node.region), session.now));
    std::vector<OwnedPartition> taken;
    const auto add = [&](Row& row) { taken.push_back(read_owned(row)); };
    BELFRY_CHECK(session.db.each(kAcquirePartitions, add, first_of(node.region),
                                 last_of(node.region), node.incarnation, session.now, most));
    // `returning` promises no order.
    std::ranges::sort(taken, {}, &OwnedPartition::partition);
    for (OwnedPartition& partition : taken) {
      partition.failover = std::ranges::binary_search(abandoned, partition.partition);
    }
    return taken;
  });
}

Result<OwnershipStore::Holders> SqliteStore::holders(RegionNo region) {
  return read([&](const Session& session) -> Result<OwnershipStore::Holders> {
    OwnershipStore::Holders result{.now = session.now};
    const auto add_node = [&](Row& row) {
      auto& node = result.nodes.emplace_back();
      row.read(node.incarnation, node.name, node.lease_until);
    };
    BELFRY_CHECK(session.db.each(kAllNodes, add_node, region));
    const auto add_holder = [&](Row& row) {
      auto& holder = result.holders.emplace_back();
      std::optional<Incarnation> owner;
      row.read(holder.partition, holder.epoch, owner);
      holder.owner = owner.value_or(Incarnation());
    };
    BELFRY_CHECK(session.db.each(kHolders, add_holder, first_of(region), last_of(region)));
    return result;
  });
}

Result<std::vector<OwnedPartition>> SqliteStore::take(
    const Node& node, std::span<const OwnershipStore::Holding> holdings) {
  return write([&](const Session& session) -> Result<std::vector<OwnedPartition>> {
    std::vector<PartitionNo> abandoned;
    const auto add_abandoned = [&](Row& row) { row.read(abandoned.emplace_back()); };
    BELFRY_CHECK(session.db.each(kAbandonedPartitions, add_abandoned, first_of(node.region),
                                 last_of(node.region), session.now));
    std::vector<OwnedPartition> taken;
    const auto add = [&](Row& row) { taken.push_back(read_owned(row)); };
    for (const auto& holding : holdings) {
      BELFRY_CHECK(session.db.each(kTakePartition, add, holding.partition, holding.epoch,
                                   node.incarnation, session.now));
    }
    std::ranges::sort(taken, {}, &OwnedPartition::partition);
    for (OwnedPartition& partition : taken) {
      partition.failover = std::ranges::binary_search(abandoned, partition.partition);
    }
    return taken;
  });
}

Status SqliteStore::release(const Node& node, std::span<const OwnershipStore::Holding> holdings) {
  return write([&](const Session& session) -> Status {
    for (const auto& holding : holdings) {
      BELFRY_CHECK(
          session.db.run(kReleasePartition, holding.partition, node.incarnation, holding.epoch));
    }
    return {};
  });
}

Status SqliteStore::retire(const Node& node) {
  return write([&](const Session& session) -> Status {
    BELFRY_CHECK(session.db.run(kRetire, node.incarnation));
    return {};
  });
}

Status SqliteStore::leave(const Node& node) {
  return write([&](const Session& session) -> Status {
    BELFRY_CHECK(session.db.run(kReleaseAll, node.incarnation));
    BELFRY_CHECK(session.db.run(kStopLeading, node.incarnation, session.now));
    BELFRY_CHECK(session.db.run(kRetire, node.incarnation));
    return {};
  });
}

Result<std::uint64_t> SqliteStore::lead(const Node& node, Duration ttl) {
  return write([&](const Session& session) -> Result<std::uint64_t> {
    // No row comes back when somebody else holds the lease; terms begin at one.
    BELFRY_TRY(term, session.db.value<std::uint64_t>(kLead, node.incarnation, session.now,
                                                     session.now + ttl));
    if (term == 0) return fail(Errc::kConflict, "another node leads");
    return term;
  });
}

}  // namespace belfry::store::sqlite
