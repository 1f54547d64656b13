#pragma once

#include "cli/session.h"

#include <string>
#include <vector>

namespace belfry::cli {

struct TextFile {
  std::string name;
  std::string text;
};

// The files named, `-` as stdin, and of folders the files in them (sorted) whose names end with one
// of `endings`; none given: all of them.
Answer<std::vector<TextFile>> read_files(const std::vector<std::string>& names,
                                         const std::vector<std::string>& endings,
                                         const Session& session);

}  // namespace belfry::cli
