#pragma once

namespace belfry::cli {

// The exit codes of the command line; scripts rely on these.
enum ExitCode : int {
  kOk = 0,
  kDifferent = 1,  // differences found, the awaited run failed, no such fire, or stdout is full
  kUsage = 2,      // the command line, or an expression in it, is wrong
  kNotFound = 3,
  kConflict = 4,
  kRefused = 5,
  kUnreachable = 6,
  kTimedOut = 7,
  kPartial = 8,
};

}  // namespace belfry::cli
