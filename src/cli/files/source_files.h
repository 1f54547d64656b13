#pragma once

#include "cli/frame/session.h"

#include <string>
#include <vector>

namespace belfry::cli {

struct TextFile {
  std::string name;
  std::string text;
};

// Which files of a folder to read.
struct FolderFiles {
  std::vector<std::string> endings;  // of file names; none: all files
  enum class Below {
    kNothing,
    kFolders,
    kDropIns
  } below = Below::kNothing;  // kDropIns: those called *.d
};

// The named files (`-` is stdin), and the files in named folders, sorted.
Answer<std::vector<TextFile>> read_files(const std::vector<std::string>& names,
                                         const FolderFiles& wanted, const Session& session);

}  // namespace belfry::cli
