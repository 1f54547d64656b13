#include "base/real_clock.h"
#include "cli/cli.h"
#include "server/serve.h"

#include <iostream>

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const belfry::RealClock clock;
  return belfry::cli::run({argv + 1, argv + argc}, {std::cin, std::cout, std::cerr, clock},
                          belfry::server::serve);
}
