#pragma once

#include "base/result.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::archive {

// One day's runs on their way to the disk. Until finish() the file has a name that nobody reads; a
// writer that is destroyed before leaves nothing behind. What a killed one left is removed by the
// next one in this folder.
//
// Errors are kUnavailable and name the file: a full disk, a missing right.
class DayWriter {
 public:
  static Result<std::unique_ptr<DayWriter>> begin(const std::string& folder,
                                                  std::chrono::sys_days day);
  virtual ~DayWriter() = default;

  // A line, without its end.
  virtual Status add(std::string_view line) = 0;

  // When this returns, the file is on the disk under its name, which is returned. The same lines
  // give the same name: archived again, they replace themselves.
  virtual Result<std::string> finish() = 0;
};

}  // namespace belfry::archive
