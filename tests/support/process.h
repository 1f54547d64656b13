#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace belfry::test {

// Runs a program to its end with its output in a file. True when it exits with 0.
bool run_program(const std::vector<std::string>& command, const std::string& output_file);

// Runs a shell command with one argument, "$0", when this process has ended, for whatever reason,
// or when the object is destroyed. For what must not outlive a test that crashes.
class LastWill {
 public:
  LastWill(std::string command, std::string argument);
  ~LastWill();
  LastWill(const LastWill&) = delete;
  LastWill& operator=(const LastWill&) = delete;

 private:
  int alive_ = -1;  // the kernel closes it in the end
  pid_t executor_ = -1;
};

// All of a file; empty when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace belfry::test
