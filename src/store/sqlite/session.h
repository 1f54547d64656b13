#pragma once

#include "base/time.h"
#include "store/sqlite/db.h"

namespace belfry::store::sqlite {

// What each named transaction works with: the connection, inside a transaction, and the moment it
// takes place.
struct Session {
  Db& db;
  Instant now;
};

}  // namespace belfry::store::sqlite
