#pragma once

#include "config/serve_options.h"

#include <string>

namespace belfry::server {

struct Started {
  int port = 0;
  bool runs_commands = false;
  std::string sign_in_path;  // by which a browser signs in once; empty: by a key
};

// What a person who has started a node by hand wants to know: where it is, where it keeps things,
// whether it runs commands, and what to type next. For their terminal only, never for a log: it may
// sign in.
std::string banner(const config::ServeOptions& options, const Started& node);

}  // namespace belfry::server
