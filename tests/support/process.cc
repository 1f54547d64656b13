#include "tests/support/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace belfry::test {
namespace {

// In the child: only calls that are allowed between fork and exec.
[[noreturn]] void become(char* const* arguments, const char* output_file) {
  const int output = ::open(output_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (output >= 0) {
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
  }
  ::execvp(arguments[0], arguments);
  ::_exit(127);
}

// Also in the child. In its own session, so that Ctrl-C ends the test and not this.
[[noreturn]] void wait_and_become(int alive, char* const* arguments) {
  ::setsid();
  char byte = 0;
  while (::read(alive, &byte, 1) < 0 && errno == EINTR) {
  }
  ::execvp(arguments[0], arguments);
  ::_exit(127);
}

}  // namespace

bool run_program(const std::vector<std::string>& command, const std::string& output_file) {
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) become(arguments.data(), output_file.c_str());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

LastWill::LastWill(std::string command, std::string argument) {
  std::string shell = "sh";
  std::string option = "-c";
  const std::array<char*, 5> arguments{shell.data(), option.data(), command.data(), argument.data(),
                                       nullptr};
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  executor_ = ::fork();
  if (executor_ == 0) {
    ::close(ends[1]);
    wait_and_become(ends[0], arguments.data());
  }
  ::close(ends[0]);
  alive_ = ends[1];
}

LastWill::~LastWill() {
  if (alive_ >= 0) ::close(alive_);
  if (executor_ > 0) ::waitpid(executor_, nullptr, 0);
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace belfry::test
