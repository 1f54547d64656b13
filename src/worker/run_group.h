#pragma once

#include "worker/descriptor.h"

#include <cstdint>
#include <optional>
#include <string>

// A cgroup (version 2) for each command: what nothing of it can leave, and what can be killed and
// limited as a whole. Only where we may make one: as root, or in a tree that is delegated to us.
namespace belfry::worker {

struct ExecLimits {
  std::uint64_t memory = 0;     // bytes; 0: no limit
  std::uint64_t processes = 0;  // 0: no limit
};

// Where the groups of a worker are made.
struct GroupHome {
  std::string folder;
  bool limits_memory = false;  // the kernel's controllers that its groups have
  bool limits_processes = false;
};

// Our own cgroup, if groups can be made in it; removes what killed workers left there. The
// controllers that `limits` need are switched on if possible: for that we may have to move into a
// group of our own (`belfry-self`), since a group with controllers has no processes beside them.
std::optional<GroupHome> find_group_home(const ExecLimits& limits);

// The group of one command, gone with everything in it at the end.
class RunGroup {
 public:
  RunGroup() = default;  // none
  // None if it cannot be made.
  RunGroup(const GroupHome& home, const ExecLimits& limits);
  ~RunGroup();
  RunGroup(RunGroup&&) noexcept = default;
  RunGroup& operator=(RunGroup&&) noexcept = default;

  bool exists() const { return folder_.is_open(); }
  int folder() const { return folder_.number(); }  // a descriptor
  const std::string& name() const { return name_; }

 private:
  Descriptor folder_;
  std::string name_;
};

// These are plain system calls, for use between fork and exec. Moves the caller into the group;
// false if it cannot.
bool enter_group(int folder);
// Kills all that is in the group, waits until it is gone (a second at most) and removes the group.
void clear_group(int folder, const char* name);
void kill_group(int folder);

}  // namespace belfry::worker
