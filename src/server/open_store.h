#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "config/serve_options.h"
#include "store/store.h"
#include "store/wrappers/metered_store.h"

#include <memory>
#include <string>
#include <vector>

namespace belfry::server {

// The store an address names, once for the engine and once for the API: on PostgreSQL each has its
// own connections, so that no load of calls delays a tick; the embedded store is one for both.
struct Stores {
  std::shared_ptr<store::Store> engine;
  std::shared_ptr<store::Store> api;
};

// kInvalid for what is neither `sqlite:PATH` nor `postgres://...`.
Status check_store_address(const std::string& address);

// `sqlite:PATH` or `postgres://...`, metered. The clock is the embedded store's database clock; it
// and the metrics must outlive the stores.
Result<Stores> open_stores(const std::string& address, const Clock& clock,
                           store::StoreMetrics& metrics,
                           config::StorePrepare prepare = config::StorePrepare::kAuto);

// Those that opening it would apply.
Result<std::vector<std::string>> pending_migrations(const std::string& address);

// Whether no other process serves this file. Every one that does holds a lock on a file beside it
// until it ends, however it ends; and so does this one from here on.
bool serves_alone(const std::string& path);

}  // namespace belfry::server
