#pragma once

#include "base/result.h"
#include "config/upkeep_options.h"

// What is defined in one store, put into another: src/transfer on the stores themselves.
namespace belfry::server {

Status export_all(const config::UpkeepOptions& options);
Status import_all(const config::UpkeepOptions& options);

}  // namespace belfry::server
