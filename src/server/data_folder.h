#pragma once

#include "base/log/log.h"
#include "base/result.h"
#include "config/serve_options.h"

#include <string>

// The folder in which a node keeps its files.
namespace belfry::server {

// On PostgreSQL a node keeps no files, and may have no place for any.
bool keeps_files(const config::ServeOptions& options);

// For its owner only: jobs' payloads and secrets are in there.
Status make_folder(const std::string& folder);

// A folder that was there keeps its mode: it may be shared for a reason that we do not know.
void warn_of_open_folder(const std::string& folder, Logger& log);

}  // namespace belfry::server
