#pragma once

#include "base/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace belfry::archive {

// Calls `take` for each line of an archived file. An error names the file: one that was damaged or
// cut short is never taken for a shorter day.
Status read_lines(const std::string& path, const std::function<Status(std::string_view)>& take);

}  // namespace belfry::archive
