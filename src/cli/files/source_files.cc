#include "cli/files/source_files.h"

#include "cli/text/text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace belfry::cli {
namespace {

namespace fs = std::filesystem;

Problem unreadable(const std::string& what, const std::string& name) {
  return {Problem::Kind::kInvalid, "the " + what + " `" + name + "` cannot be read", "",
          "name files, folders, or - for stdin"};
}

bool goes_into(const fs::path& folder, FolderFiles::Below below) {
  using Below = FolderFiles::Below;
  return below == Below::kFolders || (below == Below::kDropIns && folder.extension() == ".d");
}

// A folder that cannot be read is a problem: a file we cannot see may be taken for one that
// is gone.
Answer<std::vector<std::string>> inside(const std::string& folder, const FolderFiles& wanted) {
  std::vector<std::string> names;
  std::error_code error;
  std::error_code ignored;  // what is gone by now does not matter
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().string();
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored) &&
        goes_into(entry->path(), wanted.below)) {
      BELFRY_TRY(below, inside(name, wanted));
      names.insert(names.end(), below.begin(), below.end());
    }
    const auto fits = [&](const std::string& ending) { return name.ends_with(ending); };
    const bool all = wanted.endings.empty();
    if (entry->is_regular_file(ignored) && (all || std::ranges::any_of(wanted.endings, fits))) {
      names.push_back(name);
    }
  }
  if (error) return fail(unreadable("folder", folder));
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

Answer<std::vector<TextFile>> read_files(const std::vector<std::string>& names,
                                         const FolderFiles& wanted, const Session& session) {
  std::vector<TextFile> files;
  for (const std::string& name : names) {
    std::error_code error;
    if (name == "-") {
      files.push_back({"stdin", read_all(session.in())});
    } else if (fs::is_directory(name, error)) {
      BELFRY_TRY(within, inside(name, wanted));
      BELFRY_TRY(found, read_files(within, wanted, session));
      std::move(found.begin(), found.end(), std::back_inserter(files));
    } else {
      std::ifstream in(name);
      if (!in) {
        return fail(unreadable("file", name));
      }
      files.push_back({name, read_all(in)});
    }
  }
  return files;
}

}  // namespace belfry::cli
