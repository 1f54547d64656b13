#pragma once

namespace belfry::cli {

// What the command line ends with; scripts rely on these.
enum ExitCode : int {
  kOk = 0,
  kDifferent = 1,  // differences found, or the run waited for failed, or no such fire
  kUsage = 2,      // the words of the call, or of an expression in it, are wrong
  kNotFound = 3,
  kConflict = 4,
  kRefused = 5,
  kUnreachable = 6,
  kTimedOut = 7,
  kPartial = 8,
};

}  // namespace belfry::cli
