#pragma once

#include "base/result.h"
#include "base/time.h"
#include "store/store.h"

#include <functional>
#include <memory>
#include <string>

namespace belfry::store {

struct SqliteOptions {
  std::string path;              // a file, made when it is missing, or ":memory:"
  std::function<Instant()> now;  // the database clock
};

// The embedded store: one file, one process, nothing to install. What a call has answered survives
// a crash of the machine (write-ahead log, synced at each commit). Calls from several threads take
// turns on one connection.
//
// Creates and upgrades the tables. kInvalid when the file was written by a newer belfry.
Result<std::unique_ptr<Store>> open_sqlite(SqliteOptions options);

}  // namespace belfry::store
