#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <cstddef>
#include <optional>
#include <string>

// ChoreStore, function by function; store.h says what each one does.
namespace belfry::store::sqlite {

Result<RegionNo> put_region(const Session& session, const std::string& name);
Result<std::vector<ChoreStore::Region>> list_regions(const Session& session);

// What every database has: region 0 and tenant 1, both named `default`.
Status put_defaults(const Session& session);

// Drops a batch of what is too old, in the course of time all of it: how many rows this time. Many
// short transactions, because ticks wait meanwhile.
Result<std::size_t> drop_old(const Session& session, Duration retention);

Result<std::optional<ChoreStore::SkipCursor>> sweep_skips(const Session& session,
                                                          const ChoreStore::SkipCursor& after,
                                                          Duration retention, std::size_t most);

}  // namespace belfry::store::sqlite
