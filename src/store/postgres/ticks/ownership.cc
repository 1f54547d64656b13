#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

OwnedPartition read_owned(Row row) {
  OwnedPartition owned;
  owned.partition = PartitionNo(static_cast<std::uint16_t>(row.number()));
  owned.epoch = Epoch(to_unsigned(row.number()));
  owned.decided_through = row.instant();
  owned.version = JobsVersion(to_unsigned(row.number()));
  return owned;
}

enum class RenewRow : std::uint8_t { kSummary, kNode, kMine, kLeaseBefore };

void add_row(OwnershipStore::Membership& membership, Row row) {
  const auto kind = static_cast<RenewRow>(row.number());
  const Incarnation node(row.bits128());
  std::string name = row.text();
  const Instant at = row.instant();
  const std::int64_t number = row.number();
  switch (kind) {
    case RenewRow::kSummary:
      membership.now = at;
      membership.orphans = static_cast<std::size_t>(number);
      membership.era = Era(to_unsigned(row.number()));
      return;
    case RenewRow::kNode:
      membership.nodes.push_back({node, std::move(name), static_cast<std::size_t>(number), at});
      return;
    case RenewRow::kLeaseBefore: membership.lease_before = at; return;
    case RenewRow::kMine: break;
  }
  OwnedPartition mine;
  mine.partition = PartitionNo(static_cast<std::uint16_t>(number));
  mine.decided_through = at;
  mine.epoch = Epoch(to_unsigned(row.number()));
  mine.version = JobsVersion(to_unsigned(row.number()));
  membership.mine.push_back(mine);
}

bool has_several_regions(Row summary) {
  summary.skip(6);
  return summary.number() != 0;
}

void add_row(OwnershipStore::Holders& holders, Row row) {
  const auto kind = static_cast<RenewRow>(row.number());
  const Incarnation node(row.bits128());
  std::string name = row.text();
  const Instant at = row.instant();
  const std::int64_t number = row.number();
  switch (kind) {
    case RenewRow::kSummary: holders.now = at; return;
    case RenewRow::kNode: holders.nodes.push_back({node, std::move(name), 0, at}); return;
    case RenewRow::kLeaseBefore: return;
    case RenewRow::kMine: break;
  }
  const PartitionNo partition(static_cast<std::uint16_t>(number));
  holders.holders.push_back({partition, Epoch(to_unsigned(row.number())), node});
}

void bind_holdings(Params& params, std::span<const OwnershipStore::Holding> holdings) {
  std::vector<std::int64_t> partitions;
  std::vector<std::int64_t> epochs;
  for (const auto& holding : holdings) {
    partitions.push_back(holding.partition.value());
    epochs.push_back(to_bigint(holding.epoch.value()));
  }
  params.integers(partitions).bigints(epochs);
}

OwnedPartition read_taken(Row row) {
  OwnedPartition taken = read_owned(row);
  row.skip(4);
  taken.failover = row.boolean();
  return taken;
}

}  // namespace

Result<Instant> PostgresStore::clock() {
  BELFRY_TRY(reply, ownership_.read(kClock, Params().instant(now())));
  return reply.row(0).instant();
}

Result<OwnershipStore::Membership> PostgresStore::renew(const Node& node, Duration ttl) {
  BELFRY_TRY(reply, ownership_.write(kRenew, Params()
                                                 .instant(now())
                                                 .uuid(node.incarnation.value())
                                                 .text(node.name)
                                                 .smallint(node.region.value())
                                                 .bigint(ttl.count())));
  Membership membership;
  for (int i = 0; i < reply.size(); ++i) add_row(membership, reply.row(i));
  one_region_ = !has_several_regions(reply.row(0));
  return membership;
}

Result<std::vector<OwnedPartition>> PostgresStore::acquire(const Node& node, std::size_t most) {
  BELFRY_TRY(reply, ownership_.write(kAcquire, Params()
                                                   .instant(now())
                                                   .uuid(node.incarnation.value())
                                                   .smallint(node.region.value())
                                                   .bigint(to_bigint(most))));
  return read_all(reply, read_taken);
}

Result<OwnershipStore::Holders> PostgresStore::holders(RegionNo region) {
  BELFRY_TRY(reply, ownership_.read(kHolders, Params().instant(now()).smallint(region.value())));
  Holders result;
  for (int i = 0; i < reply.size(); ++i) add_row(result, reply.row(i));
  return result;
}

Result<std::vector<OwnedPartition>> PostgresStore::take(const Node& node,
                                                        std::span<const Holding> holdings) {
  Params params;
  params.instant(now()).uuid(node.incarnation.value());
  bind_holdings(params, holdings);
  BELFRY_TRY(reply, ownership_.write(kTake, params));
  return read_all(reply, read_taken);
}

Status PostgresStore::release(const Node& node, std::span<const Holding> holdings) {
  Params params;
  params.uuid(node.incarnation.value());
  bind_holdings(params, holdings);
  BELFRY_TRY(reply, ownership_.write(kRelease, params));
  return {};
}

Status PostgresStore::retire(const Node& node) {
  BELFRY_TRY(reply, ownership_.write(kRetire, Params().uuid(node.incarnation.value())));
  return {};
}

Status PostgresStore::leave(const Node& node) {
  BELFRY_TRY(reply,
             ownership_.write(kLeave, Params().instant(now()).uuid(node.incarnation.value())));
  return {};
}

Result<std::uint64_t> PostgresStore::lead(const Node& node, Duration ttl) {
  BELFRY_TRY(
      reply,
      ownership_.write(kLead,
                       Params().instant(now()).uuid(node.incarnation.value()).bigint(ttl.count())));
  if (reply.empty()) return fail(Errc::kConflict, "another node leads");
  return to_unsigned(reply.row(0).number());
}

}  // namespace belfry::store::postgres
