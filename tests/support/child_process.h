#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace belfry::test {

// A program we started; ended, by its id, when this object is destroyed.
class ChildProcess {
 public:
  // Its standard error goes to a file that log() reads. Extra variables as "NAME=value".
  ChildProcess(std::vector<std::string> command, const std::vector<std::string>& environment = {});
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  void signal(int number) const;
  // Waits for its end; returns its exit code, or 128 + the signal that ended it.
  int wait();
  bool running();
  pid_t pid() const { return pid_; }
  std::string log() const;

 private:
  pid_t pid_ = -1;
  int code_ = -1;
  std::string log_file_;
};

}  // namespace belfry::test
