#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// OwnershipStore, function by function; store.h says what each one does.
namespace belfry::store::sqlite {

using Node = OwnershipStore::Node;

Result<OwnershipStore::Membership> renew(const Session& session, const Node& node, Duration ttl);
Result<std::vector<OwnedPartition>> acquire(const Session& session, const Node& node,
                                            std::size_t most);
Status release(const Session& session, const Node& node,
               std::span<const OwnershipStore::Holding> holdings);
Status retire(const Session& session, const OwnershipStore::Node& node);
Status leave(const Session& session, const Node& node);
Result<std::uint64_t> lead(const Session& session, const Node& node, Duration ttl);

}  // namespace belfry::store::sqlite
