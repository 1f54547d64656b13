#pragma once

#include "base/result.h"
#include "base/time.h"
#include "store/sqlite/wire/db.h"

#include <string>
#include <vector>

namespace belfry::store::sqlite {

// Brings the tables to what this program knows. Each migration is one transaction together with its
// number, so one that is interrupted is undone and done again by the next start. kInvalid when the
// file was written by a newer program.
Status migrate(Db& db, Instant now);

// The names of the migrations that migrate() would apply.
Result<std::vector<std::string>> pending_migrations(Db& db);

}  // namespace belfry::store::sqlite
