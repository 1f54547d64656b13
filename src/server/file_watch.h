#pragma once

#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

namespace belfry::server {

// Notices when files are written or replaced.
class FileWatch {
 public:
  // Empty names are left out.
  explicit FileWatch(std::vector<std::string> names) : names_(std::move(names)), last_(look()) {}

  // Since it was last asked.
  bool changed() {
    const auto before = std::exchange(last_, look());
    return before != last_;
  }

 private:
  std::vector<long> look() const {
    std::vector<long> facts;
    for (const std::string& name : names_) {
      struct stat file{};
      if (name.empty() || stat(name.c_str(), &file) != 0) continue;
      facts.insert(facts.end(), {static_cast<long>(file.st_ino), file.st_size, file.st_mtim.tv_sec,
                                 file.st_mtim.tv_nsec});
    }
    return facts;
  }

  const std::vector<std::string> names_;
  std::vector<long> last_;
};

}  // namespace belfry::server
