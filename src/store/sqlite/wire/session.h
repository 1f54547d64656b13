#pragma once

#include "base/ids.h"
#include "base/time.h"
#include "store/common/outbox.h"
#include "store/sqlite/wire/db.h"

namespace belfry::store::sqlite {

// What each named transaction works with: the connection, inside a transaction, and the moment it
// takes place.
struct Session {
  Db& db;
  Instant now;
  // What the transaction changes; written to the outbox before it is committed.
  EventCollector& events;
};

}  // namespace belfry::store::sqlite
