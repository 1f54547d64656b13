#include "cli/source_files.h"

#include "cli/text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace belfry::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> inside(const std::string& folder,
                                const std::vector<std::string>& endings) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().string();
    const bool fits =
        endings.empty() || std::any_of(endings.begin(), endings.end(),
                                       [&](const auto& e) { return name.ends_with(e); });
    if (entry.is_regular_file(error) && fits) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

Answer<std::vector<TextFile>> read_files(const std::vector<std::string>& names,
                                         const std::vector<std::string>& endings,
                                         const Session& session) {
  std::vector<TextFile> files;
  for (const std::string& name : names) {
    std::error_code error;
    if (name == "-") {
      files.push_back({"stdin", read_all(session.in())});
    } else if (fs::is_directory(name, error)) {
      BELFRY_TRY(found, read_files(inside(name, endings), endings, session));
      std::move(found.begin(), found.end(), std::back_inserter(files));
    } else {
      std::ifstream in(name);
      if (!in) {
        return fail(Problem(Problem::Kind::kInvalid, "the file `" + name + "` cannot be read", "",
                            "name files, folders, or - for stdin"));
      }
      files.push_back({name, read_all(in)});
    }
  }
  return files;
}

}  // namespace belfry::cli
