#pragma once

#include "base/log/log.h"
#include "config/serve_options.h"
#include "service/secrets/secret_box.h"

namespace belfry::server {

// Where a node's keys for secrets come from: the file or the variable that it was told; else, on
// the embedded store, a file beside the database that the node makes when it needs it. Without any
// of them there are no keys.
service::SecretBox::Source secret_source(const config::ServeOptions& options);

// Warns of files with keys in them that others than their owner can read.
void warn_of_open_files(const config::ServeOptions& options, Logger& log);

}  // namespace belfry::server
