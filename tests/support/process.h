#pragma once

#include <string>
#include <vector>

namespace belfry::test {

// Runs a program to its end with its output in a file. True when it exits with 0.
bool run_program(const std::vector<std::string>& command, const std::string& output_file);

// All of a file; empty when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace belfry::test
