#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "store/store.h"

#include <memory>
#include <string>

namespace belfry::server {

// The store an address names: `sqlite:PATH` or `postgres://...`. The clock is the embedded store's
// database clock and has to outlive it.
Result<std::unique_ptr<store::Store>> open_store(const std::string& address, const Clock& clock);

}  // namespace belfry::server
