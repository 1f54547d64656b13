#include "cli/browser/browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace belfry::cli {
namespace {

constexpr const char* kOpener = "xdg-open";  // asks the desktop which browser it is
constexpr std::string_view kEnding = ".html";

std::string as_attribute(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&' || c == '"' || c == '<' || c == '>') {
      safe += fmt::format("&#{};", static_cast<int>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string page_to(const std::string& address) {
  const std::string safe = as_attribute(address);
  return fmt::format(
      "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Belfry</title>\n"
      "<meta http-equiv=\"refresh\" content=\"0;url={}\">\n<a href=\"{}\">To the console</a>\n",
      safe, safe);
}

std::string private_folder(const config::Environment& environment) {
  if (std::string folder = environment("XDG_RUNTIME_DIR"); !folder.empty()) return folder;
  std::error_code none;
  const auto folder = std::filesystem::temp_directory_path(none);
  return none ? "/tmp" : folder.string();
}

// A new file of mode 0600; empty if there can be none. It stays, because nobody says when the
// browser has read it; what it leads to is void by then.
std::string write_page(const std::string& text, const std::string& folder) {
  std::string path = folder + "/belfry-open-XXXXXX" + std::string(kEnding);
  const int file = ::mkstemps(path.data(), static_cast<int>(kEnding.size()));
  if (file < 0) return "";
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  return written ? path : "";
}

// What the program says is for nobody: it goes on when we have ended.
bool start_opener(std::string file) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return false;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  std::string program = kOpener;
  char* const words[] = {program.data(), file.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, kOpener, &actions, nullptr, words, ::environ);
  ::posix_spawn_file_actions_destroy(&actions);
  return failed == 0;
}

}  // namespace

bool open_in_browser(const std::string& address, const config::Environment& environment) {
  if (environment("DISPLAY").empty() && environment("WAYLAND_DISPLAY").empty()) return false;
  std::string file = write_page(page_to(address), private_folder(environment));
  return !file.empty() && start_opener(std::move(file));
}

}  // namespace belfry::cli
