#include "core/schedule/zone_catalog.h"

#include "core/schedule/civil.h"
#include "core/schedule/zone_names.h"
#include "core/suggest.h"

#include <absl/time/time.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace belfry::core {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 64;

std::string zoneinfo_folder() {
  const char* folder = std::getenv("TZDIR");  // the place Abseil looks first, too
  return folder != nullptr && *folder != '\0' ? folder : "/usr/share/zoneinfo";
}

// IANA names only. Abseil would also open "/etc/shadow", "../x" and its own "Fixed/UTC+01:00:00",
// and the folder holds files that are not time zones (leap-second copies, the host's default).
bool is_plausible_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  if (std::isalpha(static_cast<unsigned char>(name.front())) == 0) return false;
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '+' || c == '/';
  });
  if (!plain) return false;
  for (const std::string_view folder : {"posix/", "right/", "Fixed/"}) {
    if (name.starts_with(folder)) return false;
  }
  return name != "localtime" && name != "posixrules" && name != "Factory";
}

std::string suggestion_for(std::string_view wanted) {
  const std::vector<std::string> names = zone_names();
  // "berlin" is nearer to "Europe/Berlin" than any count of edits can tell.
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  for (const std::string& name : names) {
    const std::string_view city = std::string_view(name).substr(name.rfind('/') + 1);
    if (city.size() == wanted.size() &&
        std::equal(city.begin(), city.end(), wanted.begin(), same)) {
      return name;
    }
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  return closest(wanted, views);
}

tl::unexpected<Error> no_such_zone(std::string_view name) {
  const std::string suggestion = suggestion_for(name);
  return fail(Error{
      .code = Errc::kNotFound,
      .message = "`" + std::string(name.substr(0, kLongestName)) + "` is not a known time zone",
      .field = "timezone",
      .hint = suggestion.empty() ? "use an IANA name such as `Europe/Berlin` or `UTC`"
                                 : "did you mean `" + suggestion + "`?"});
}

std::unique_ptr<const Zone> read_zone(const std::string& name, absl::TimeZone zone) {
  // Two days of margin on both sides, so that every local time of 1970 to kLastYear is covered.
  const std::int64_t begin = -2 * kSecondsPerDay;
  const std::int64_t end = (days_from_civil({kLastYear + 1, 1, 1}) + 2) * kSecondsPerDay;
  absl::Time cursor = absl::FromUnixSeconds(begin);
  const auto first_offset = zone.At(cursor).offset;
  std::vector<OffsetChange> changes;
  absl::TimeZone::CivilTransition transition;
  while (zone.NextTransition(cursor, &transition)) {
    cursor = absl::FromCivil(transition.to, zone);
    // The first instant of the new offset. FromCivil answers with the earlier of two instants when
    // `to` was shown before the change as well (an overlap); then the later one is meant.
    if (const auto info = zone.At(transition.to); info.kind == absl::TimeZone::TimeInfo::REPEATED) {
      cursor = info.post;
    }
    const std::int64_t at = absl::ToUnixSeconds(cursor);
    if (at >= end) break;
    changes.push_back({at, zone.At(cursor).offset});
  }
  return std::make_unique<const Zone>(name, first_offset, changes);
}

}  // namespace

std::vector<std::string> zone_names() {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path root = zoneinfo_folder();
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (!it->is_regular_file(ignored)) continue;
    std::string name = it->path().lexically_relative(root).generic_string();
    if (is_plausible_name(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());  // the folder's order differs between machines
  return names;
}

Result<const Zone*> ZoneCatalog::find(std::string_view name) {
  const MutexLock lock(mutex_);
  if (const auto known = zones_.find(name); known != zones_.end()) return known->second.get();
  const std::string key(name);
  absl::TimeZone zone;
  if (!is_plausible_name(name) || !absl::LoadTimeZone(key, &zone)) return no_such_zone(name);
  auto& slot = zones_[key];
  slot = read_zone(key, zone);
  return slot.get();
}

}  // namespace belfry::core
