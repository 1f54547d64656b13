#pragma once

#include "tests/support/child_process.h"

#include <poll.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>

namespace belfry::bench {

// The port on which a server we started serves its API, once it does. Without one there is nothing
// to measure, and the program ends.
inline std::uint16_t served_port(const test::ChildProcess& server) {
  for (int i = 0; i < 100; ++i) {
    std::smatch found;
    const std::string log = server.log();
    if (std::regex_search(log, found, std::regex(R"(listening\S* address=\S+:(\d+))"))) {
      return static_cast<std::uint16_t>(std::stoi(found[1]));
    }
    poll(nullptr, 0, 100);
  }
  std::printf("the server does not listen:\n%s\n", server.log().c_str());
  std::exit(1);
}

}  // namespace belfry::bench
