#include "base/real_clock.h"
#include "cli/cli.h"
#include "server/serve.h"
#include "server/upkeep.h"
#include "server/work.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

namespace {

belfry::cli::Screen screen() {
  winsize size{};
  const bool known =
      ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
  return {.in_is_terminal = isatty(STDIN_FILENO) == 1,
          .out_is_terminal = isatty(STDOUT_FILENO) == 1,
          .err_is_terminal = isatty(STDERR_FILENO) == 1,
          .width = known ? size.ws_col : 0};
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::map<std::string, std::string> all_environment() {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const belfry::RealClock clock;
  return belfry::cli::run(
      {argv + 1, argv + argc},
      {std::cin, std::cout, std::cerr, clock, screen(), environment, all_environment},
      belfry::server::serve, belfry::server::work, belfry::server::upkeep);
}
