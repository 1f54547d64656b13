#pragma once

#include "base/clock.h"
#include "cli/serve_options.h"

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace belfry::cli {

// The world a command sees: data goes to `out`, talk to `err`.
struct Terminal {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  const Clock& clock;
};

// What only the server can do, handed in by main: the command line itself knows no store.
using Serve = std::function<int(const ServeOptions&)>;

// Runs one command line (without the program's name) and returns its exit code.
int run(std::vector<std::string> arguments, const Terminal& terminal, const Serve& serve);

}  // namespace belfry::cli
