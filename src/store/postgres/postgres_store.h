#pragma once

#include "store/common/hint_queue.h"
#include "store/store.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belfry::store {

struct PostgresOptions {
  std::string url;    // postgresql://user@host/database, or libpq's key=value pairs
  int pool_size = 4;  // connections for all but ownership, decisions, hints: one each; loads: two
  Duration call_deadline = std::chrono::seconds(10);
  std::function<std::optional<Instant>()> now_override;  // for tests; none: the database clock
  // Whether statements are prepared and sessions keep things, which a transaction pooler
  // (pgbouncer) does not allow. kAuto: unless there is one.
  enum class Prepare : std::uint8_t { kAuto, kOn, kOff };
  Prepare prepare = Prepare::kAuto;
  // Where hints of this store go; null: a queue of its own. Several stores of a process may share
  // one, and one of them then waits for all.
  std::shared_ptr<HintQueue> hints = {};
};

// The cluster's store. Brings the schema up to date first; several nodes may do so at once.
// kInvalid when the database is of a newer Belfry than this one, or its encoding is not UTF-8.
Result<std::unique_ptr<Store>> open_postgres(PostgresOptions options);

// The migrations that opening it would apply, by their names; changes nothing.
Result<std::vector<std::string>> pending_postgres(PostgresOptions options);

}  // namespace belfry::store
