#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace belfry::test {

// A folder of a test's own, gone with it. Not named for the test: the same test may run twice at
// once, from two checkouts.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "belfry-test-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace belfry::test
