#include "base/real_clock.h"
#include "cli/cli.h"
#include "server/serve.h"
#include "server/upkeep.h"
#include "server/work.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

belfry::cli::Screen screen() {
  winsize size{};
  const bool known =
      ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
  return {.in_is_terminal = isatty(STDIN_FILENO) == 1,
          .out_is_terminal = isatty(STDOUT_FILENO) == 1,
          .err_is_terminal = isatty(STDERR_FILENO) == 1,
          .width = known ? size.ws_col : 0,
          .height = known ? size.ws_row : 0};
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

// Lists of processes show the arguments to everybody on the machine: addresses with passwords in
// them are wiped, once they are read.
void wipe_addresses(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    char* const scheme = std::strstr(argv[i], "://");
    if (scheme != nullptr) std::memset(scheme + 3, '*', std::strlen(scheme + 3));
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const belfry::RealClock clock;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  wipe_addresses(argc, argv);
  return belfry::cli::run(
      arguments, {std::cin, std::cout, std::cerr, clock, screen(), environment, all_environment},
      belfry::server::serve, belfry::server::work, belfry::server::upkeep);
}
