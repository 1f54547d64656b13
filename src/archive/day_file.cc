#include "archive/day_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace belfry::archive {
namespace {

constexpr std::string_view kPrefix = "runs-";
constexpr std::string_view kSuffix = ".jsonl.gz";
constexpr std::size_t kDayLength = 10;
constexpr std::size_t kDigestLength = 16;

std::optional<int> number_in(std::string_view digits) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return number;
}

}  // namespace

std::string day_text(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", int{date.year()}, unsigned{date.month()},
                     unsigned{date.day()});
}

std::string file_name(std::chrono::sys_days day, std::string_view digest) {
  return fmt::format("{}{}-{}{}", kPrefix, day_text(day), digest, kSuffix);
}

std::optional<std::chrono::sys_days> day_of(std::string_view name) {
  if (name.size() != kPrefix.size() + kDayLength + 1 + kDigestLength + kSuffix.size()) return {};
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return {};
  const std::string_view text = name.substr(kPrefix.size(), kDayLength);
  const auto year = number_in(text.substr(0, 4));
  const auto month = number_in(text.substr(5, 2));
  const auto day = number_in(text.substr(8, 2));
  if (!year || !month || !day) return {};
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok() || day_text(date) != text) return {};
  return std::chrono::sys_days(date);
}

Result<std::vector<DayFile>> list_days(const std::string& folder) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  if (error) {
    return fail({.code = Errc::kNotFound,
                 .message = "the archive `" + folder + "` cannot be read: " + error.message(),
                 .hint = "name the folder that `belfry serve` has as archive_dir"});
  }
  std::vector<DayFile> files;
  for (; entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (const auto day = day_of(entry->path().filename().string())) {
      files.push_back({*day, entry->path().string()});
    }
    if (error) return fail(Errc::kUnavailable, "`" + folder + "`: " + error.message());
  }
  std::ranges::sort(files, [](const DayFile& a, const DayFile& b) {
    return a.day != b.day ? a.day > b.day : a.path < b.path;
  });
  return files;
}

}  // namespace belfry::archive
