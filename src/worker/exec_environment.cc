#include "worker/exec_environment.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace belfry::worker {
namespace {

constexpr std::array<std::string_view, 4> kHarmless{"PATH", "LANG", "LANGUAGE", "TZ"};

bool is_harmless(std::string_view name) {
  return name.starts_with("LC_") || std::ranges::find(kHarmless, name) != kHarmless.end();
}

bool is_secret(std::string_view name) {
  return name.starts_with("BELFRY_") || name.starts_with("PG") || name.starts_with("AWS_") ||
         name == "DATABASE_URL";
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

Status check_name(const std::string& name) {
  if (!is_name(name)) {
    return fail({.code = Errc::kInvalid,
                 .message = "`" + name + "` is not the name of a variable",
                 .field = "exec_env",
                 .hint = "write names, separated by commas"});
  }
  if (!is_secret(name)) return {};
  return fail({.code = Errc::kInvalid,
               .message = "`" + name + "` is never passed on: it may hold a secret of Belfry",
               .field = "exec_env",
               .hint = "let the command read a file that only its user may read"});
}

}  // namespace

Result<std::vector<std::string>> fresh_environment(const std::vector<std::string>& own,
                                                   const ExecUser& user,
                                                   const std::vector<std::string>& more) {
  for (const std::string& name : more) BELFRY_CHECK(check_name(name));
  std::vector<std::string> fresh{"HOME=" + user.home, "USER=" + user.name, "LOGNAME=" + user.name,
                                 "SHELL=" + user.shell};
  for (const std::string& entry : own) {
    const std::string_view name = std::string_view(entry).substr(0, entry.find('='));
    // The folder for temporary files of one user may be closed to another.
    const bool is_passed = is_harmless(name) || (name == "TMPDIR" && !user.is_other) ||
                           std::ranges::find(more, name) != more.end();
    if (!is_passed) continue;
    std::erase_if(fresh,
                  [&](const std::string& had) { return had.starts_with(std::string(name) + "="); });
    fresh.push_back(entry);
  }
  return fresh;
}

}  // namespace belfry::worker
