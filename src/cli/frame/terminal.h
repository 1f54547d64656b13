#pragma once

#include "base/clock.h"
#include "config/serve_options.h"
#include "config/upkeep_options.h"
#include "config/work_options.h"

#include <functional>
#include <iosfwd>
#include <map>
#include <string>

namespace belfry::cli {

// What is known about the terminal, if it is one.
struct Screen {
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int width = 0;   // columns; 0: no limit
  int height = 0;  // lines; 0: no limit
};

// The world a command sees: data goes to `out`, talk to `err`.
struct Terminal {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  const Clock& clock;
  Screen screen;
  // The value of an environment variable, empty if it is not set.
  std::function<std::string(const char* name)> environment;
  // All variables by name; without this function there are none.
  std::function<std::map<std::string, std::string>()> all_environment = {};
};

// What only the server can do, handed in by main: the command line itself knows no store.
using Serve = std::function<int(const config::ServeOptions&)>;
// And a worker, which owns threads and processes.
using Work = std::function<int(const config::WorkOptions&)>;
// And what is done to a store without a server.
using Upkeep = std::function<int(const config::UpkeepOptions&)>;

}  // namespace belfry::cli
