#pragma once

#include "store/postgres/wire/database.h"

#include <optional>
#include <string>
#include <vector>

namespace belfry::store::postgres {

// Brings the schema to the program's version, one transaction for each migration, under a lock: a
// second node finds the work done. kInvalid when the database is newer than the program.
Status migrate(Database& database);

// The names of the migrations that migrate() would apply.
Result<std::vector<std::string>> pending_migrations(Database& database);

// The region and the tenant that exist from the start.
Status seed(Database& database, std::optional<Instant> now);

}  // namespace belfry::store::postgres
