#pragma once

#include "base/result.h"
#include "base/time.h"
#include "store/sqlite/db.h"

namespace belfry::store::sqlite {

// Brings the tables to what this program knows. Each migration is one transaction together with its
// number, so one that is interrupted is undone and done again by the next start. kInvalid when the
// file was written by a newer program.
Status migrate(Db& db, Instant now);

}  // namespace belfry::store::sqlite
