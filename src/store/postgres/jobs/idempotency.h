#pragma once

#include "store/jobs.h"
#include "store/postgres/wire/database.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Requests that may come twice; docs/internals/store.md.
namespace belfry::store::postgres {

using KeyOfTenant = std::pair<TenantId, std::string>;

// What an earlier request under a key was and led to.
struct Earlier {
  std::string fingerprint;
  std::vector<JobRow> jobs;
};

// Reserves keys for this transaction; returns those that earlier requests have taken.
Result<std::map<KeyOfTenant, Earlier>> take_keys(Transaction& transaction,
                                                 std::optional<Instant> now,
                                                 std::span<const IdempotencyKey* const> keys);

// Records what the keys just taken have led to; a key that led to nothing is free again.
Status keep_keys(Transaction& transaction, const std::map<KeyOfTenant, std::vector<JobId>>& led_to);

}  // namespace belfry::store::postgres
