#pragma once

#include "base/log/log.h"
#include "config/serve_options.h"
#include "worker/command.h"

namespace belfry::server {

// Commands of the node's own user could open what the node keeps: its folder, its store, the keys
// of its secrets, its archive. Closes that to them; where it cannot, a warning says why. Commands
// of another user are kept out by the modes of the files.
void close_node_files(const config::ServeOptions& options, worker::Confinement& confinement,
                      Logger& log);

}  // namespace belfry::server
