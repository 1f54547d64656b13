#include "tests/support/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

namespace belfry::test {

ChildProcess::ChildProcess(std::vector<std::string> command,
                           const std::vector<std::string>& environment) {
  char name[] = "/tmp/belfry-child-XXXXXX";
  const int log = mkstemp(name);
  log_file_ = name;
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves nothing behind
    dup2(log, STDERR_FILENO);
    dup2(log, STDOUT_FILENO);
    for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    execv(words[0], words.data());
    std::perror(words[0]);
    _exit(127);
  }
  close(log);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      code_(other.code_),
      log_file_(std::exchange(other.log_file_, {})) {}

ChildProcess::~ChildProcess() {
  if (running()) {
    ::kill(pid_, SIGCONT);
    ::kill(pid_, SIGKILL);
    wait();
  }
  if (!log_file_.empty()) unlink(log_file_.c_str());
}

void ChildProcess::signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

bool ChildProcess::running() {
  if (pid_ < 0) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == 0) return true;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  pid_ = -1;
  return false;
}

int ChildProcess::wait() {
  if (pid_ < 0) return code_;
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return code_;
}

std::string ChildProcess::log() const {
  std::ifstream in(log_file_);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace belfry::test
