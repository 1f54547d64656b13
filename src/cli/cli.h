#pragma once

#include "base/clock.h"

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

// Runs one command line (without the program's name) and returns its exit code.
int run(std::vector<std::string> arguments, const Terminal& terminal);

}  // namespace belfry::cli
