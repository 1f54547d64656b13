#include "worker/exec_user.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>

namespace belfry::worker {
namespace {

constexpr const char* kNobody = "nobody";
constexpr uid_t kNobodyNumber = 65'534;  // also where an image has no list of users

ExecUser user_of(const passwd& entry) {
  return {.name = entry.pw_name,
          .home = entry.pw_dir,
          .shell = *entry.pw_shell == '\0' ? "/bin/sh" : entry.pw_shell,
          .uid = entry.pw_uid,
          .gid = entry.pw_gid};
}

std::optional<ExecUser> look_up(const std::string& name) {
  std::array<char, 16'384> buffer;
  passwd entry{};
  passwd* found = nullptr;
  getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) return std::nullopt;
  return user_of(entry);
}

ExecUser ourselves() {
  std::array<char, 16'384> buffer;
  passwd entry{};
  passwd* found = nullptr;
  getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found);
  if (found != nullptr) return user_of(entry);
  const char* home = std::getenv("HOME");  // a container's number without a name
  return {.name = std::to_string(geteuid()),
          .home = home == nullptr ? "/" : home,
          .uid = geteuid(),
          .gid = getegid()};
}

}  // namespace

Result<ExecUser> find_exec_user(const std::string& name) {
  const bool is_root = geteuid() == 0;
  if (name.empty() && !is_root) return ourselves();
  const std::string wanted = name.empty() ? kNobody : name;
  auto user = look_up(wanted);
  if (!user && wanted == kNobody) {
    user = ExecUser{.name = wanted, .uid = kNobodyNumber, .gid = kNobodyNumber};
  }
  if (!user) {
    return fail({.code = Errc::kInvalid,
                 .message = "there is no user `" + wanted + "` on this machine",
                 .field = "exec_user",
                 .hint = "name one of /etc/passwd"});
  }
  user->is_other = user->uid != geteuid();
  if (user->is_other && !is_root) {
    return fail({.code = Errc::kInvalid,
                 .message = "only root can run commands as `" + wanted + "`",
                 .field = "exec_user",
                 .hint = "start Belfry as that user"});
  }
  return *user;
}

}  // namespace belfry::worker
