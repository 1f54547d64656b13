#pragma once

#include "cli/frame/session.h"

#include <string>
#include <vector>

namespace belfry::cli {

struct TextFile {
  std::string name;
  std::string text;
};

// Which files of a folder are meant.
struct FolderFiles {
  std::vector<std::string> endings;  // of their names; none: all of them
  enum class Below {
    kNothing,
    kFolders,
    kDropIns
  } below = Below::kNothing;  // kDropIns: those called *.d
};

// The files named, `-` as stdin, and of folders the files in them, sorted.
Answer<std::vector<TextFile>> read_files(const std::vector<std::string>& names,
                                         const FolderFiles& wanted, const Session& session);

}  // namespace belfry::cli
