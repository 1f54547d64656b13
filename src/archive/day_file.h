#pragma once

#include "base/result.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How the files of an archive are named: runs-2026-08-20-0123456789abcdef.jsonl.gz. What has
// another name is not of the archive and is left alone.
namespace belfry::archive {

struct DayFile {
  std::chrono::sys_days day;  // in UTC, on which its runs ended
  std::string path;
};

std::string day_text(std::chrono::sys_days day);  // 2026-08-20

std::string file_name(std::chrono::sys_days day, std::string_view digest);
std::optional<std::chrono::sys_days> day_of(std::string_view file_name);

// The files of a folder, newest day first. kNotFound when there is no such folder.
Result<std::vector<DayFile>> list_days(const std::string& folder);

}  // namespace belfry::archive
