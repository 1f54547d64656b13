#include "worker/run_group.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace belfry::worker {
namespace {

constexpr std::string_view kPrefix = "belfry-run-";  // belfry-run-PID-COUNT

// `folder` is a descriptor, or AT_FDCWD with a whole path.
bool write_to(int folder, const char* file, std::string_view text) {
  const int to = openat(folder, file, O_WRONLY | O_CLOEXEC);
  if (to < 0) return false;
  const auto written = write(to, text.data(), text.size());
  close(to);
  return written == static_cast<ssize_t>(text.size());
}

bool write_file(const std::string& path, std::string_view text) {
  return write_to(AT_FDCWD, path.c_str(), text);
}

// "0::/system.slice/belfry.service" in /proc/self/cgroup.
std::optional<std::string> own_path() {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return std::nullopt;
}

// Where cgroup2 is mounted as a whole; a mount of a part of it is for others.
std::optional<std::string> mount_point() {
  std::ifstream file("/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.find(" - cgroup2 ") == std::string::npos) continue;
    std::istringstream words(line);
    std::string id, parent, device, root, point;
    words >> id >> parent >> device >> root >> point;
    if (root == "/") return point;
  }
  return std::nullopt;
}

bool lists(const std::string& file, std::string_view word) {
  std::ifstream list(file);
  for (std::string each; list >> each;) {
    if (each == word) return true;
  }
  return false;
}

// Whether the groups in `folder` have this controller, now or after a try.
bool has_controller(const std::string& folder, const std::string& name) {
  const std::string wanted = folder + "/cgroup.subtree_control";
  if (!lists(folder + "/cgroup.controllers", name)) return false;
  if (lists(wanted, name) || write_file(wanted, "+" + name)) return true;
  const std::string self = folder + "/belfry-self";
  mkdir(self.c_str(), 0755);
  return write_file(self + "/cgroup.procs", "0") && write_file(wanted, "+" + name);
}

// Groups of workers that were killed, together with the guards of their commands.
void remove_leftovers(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kPrefix)) continue;
    const pid_t worker = std::atoi(name.c_str() + kPrefix.size());
    if (worker <= 0 || kill(worker, 0) == 0 || errno != ESRCH) continue;
    const Descriptor group(open(entry.path().c_str(), O_DIRECTORY | O_CLOEXEC));
    if (group.is_open()) clear_group(group.number(), name.c_str());
  }
}

}  // namespace

std::optional<GroupHome> find_group_home(const ExecLimits& limits) {
  const auto mount = mount_point();
  const auto path = own_path();
  if (!mount || !path) return std::nullopt;
  GroupHome home{.folder = *mount + (*path == "/" ? "" : *path)};
  // Who moves a process needs the right to write there, where it comes from.
  if (access((home.folder + "/cgroup.procs").c_str(), W_OK) != 0) return std::nullopt;
  if (!RunGroup(home, {}).exists()) return std::nullopt;
  remove_leftovers(home.folder);
  home.limits_memory = limits.memory > 0 && has_controller(home.folder, "memory");
  home.limits_processes = limits.processes > 0 && has_controller(home.folder, "pids");
  return home;
}

RunGroup::RunGroup(const GroupHome& home, const ExecLimits& limits) {
  static std::atomic<std::uint64_t> count = 0;
  name_ = std::string(kPrefix) + std::to_string(getpid()) + "-" + std::to_string(++count);
  const std::string path = home.folder + "/" + name_;
  if (mkdir(path.c_str(), 0755) != 0) return;
  // Before Linux 5.14 there is no cgroup.kill, and a group would be of little use.
  if (access((path + "/cgroup.kill").c_str(), W_OK) == 0) {
    folder_ = Descriptor(open(path.c_str(), O_DIRECTORY | O_CLOEXEC));
  }
  if (!folder_.is_open()) {
    rmdir(path.c_str());
    return;
  }
  if (home.limits_memory) {
    write_to(folder(), "memory.max", std::to_string(limits.memory));
    write_to(folder(), "memory.swap.max", "0");
    write_to(folder(), "memory.oom.group", "1");
  }
  if (home.limits_processes) write_to(folder(), "pids.max", std::to_string(limits.processes));
}

RunGroup::~RunGroup() {
  if (exists()) clear_group(folder(), name_.c_str());
}

bool enter_group(int folder) {
  return write_to(folder, "cgroup.procs", "0");
}

void kill_group(int folder) {
  write_to(folder, "cgroup.kill", "1");
}

void clear_group(int folder, const char* name) {
  char path[256] = "../";
  std::strncat(path, name, sizeof path - 4);
  for (int i = 0; i < 200; ++i) {
    if (unlinkat(folder, path, AT_REMOVEDIR) == 0 || errno != EBUSY) return;
    kill_group(folder);
    poll(nullptr, 0, 5);
  }
}

}  // namespace belfry::worker
