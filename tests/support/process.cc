#include "tests/support/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

namespace belfry::test {
namespace {

// In the child: only what may be done between fork and exec.
[[noreturn]] void become(char* const* arguments, const char* output_file) {
  const int output = ::open(output_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (output >= 0) {
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
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

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace belfry::test
