#pragma once

#include "base/result.h"
#include "base/time.h"
#include "store/store.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace belfry::store {

struct SqliteOptions {
  std::string path;              // a file, made when it is missing, or ":memory:"
  std::function<Instant()> now;  // the database clock
  // No other process serves the file: the nodes in it are dead, whatever their leases say.
  bool is_alone = false;
  // For simulations, which have to notice it: without, a change forgets the ticks that were due
  // before it.
  bool settles = true;
};

// The embedded store: one file, one process, nothing to install. What a call has answered survives
// a crash of the machine (write-ahead log, synced at each commit). Calls from several threads take
// turns on one connection.
//
// Creates and upgrades the tables. kInvalid when the file was written by a newer belfry.
Result<std::unique_ptr<Store>> open_sqlite(SqliteOptions options);

// The migrations that opening the file would apply, by their names; changes nothing. All of them
// for a file that is not there. kInvalid as above.
Result<std::vector<std::string>> pending_sqlite(const std::string& path);

// A copy of the file as it is at one moment, even while a node uses it. kNotFound: there is no such
// file; kConflict: there is something at `to` already, and it stays.
Status backup_sqlite(const std::string& path, const std::string& to);

// Puts a whole store, `from`, in the place of another one, which is kept beside it as
// `PATH.replaced`; if that exists already, kConflict. Nobody may use either.
Status replace_sqlite(const std::string& path, const std::string& from);

}  // namespace belfry::store
