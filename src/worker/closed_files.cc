#include "worker/closed_files.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace belfry::worker {
namespace {

namespace fs = std::filesystem;

// Newer than the headers of some systems that we are built on.
constexpr std::uint64_t kTruncate = 1ULL << 14;  // since version 3, Linux 6.2
constexpr std::uint64_t kScopeSignal = 1ULL << 1;
constexpr long kFirstToRename = 2;  // before it nothing could be moved to another folder
constexpr long kFirstToTruncate = 3;
constexpr long kFirstToScope = 6;

constexpr std::uint64_t kFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                LANDLOCK_ACCESS_FS_READ_FILE | kTruncate;
constexpr std::uint64_t kAll = (1ULL << 15) - 1;  // up to kTruncate

// A kernel that does not know a field wants it to be zero.
struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t ports = 0;
  std::uint64_t scopes = 0;
};

Error not_here(const std::string& why) {
  return {.code = Errc::kUnavailable, .message = why};
}

// Without links, so that it is met on the way down from `/`. The last part need not be there.
fs::path whole(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path canonical = fs::weakly_canonical(absolute, error);
  return error ? absolute : canonical;
}

class Closure {
 public:
  explicit Closure(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) closed_.push_back(whole(path));
  }

  Result<Descriptor> make() {
    const long version =
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < kFirstToRename)
      return fail(not_here("this kernel has no Landlock, or an old one"));
    known_ = version >= kFirstToTruncate ? kAll : kAll & ~kTruncate;
    const RulesetAttributes attributes{.files = known_,
                                       .scopes = version >= kFirstToScope ? kScopeSignal : 0};
    ruleset_ = Descriptor(
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)));
    if (!ruleset_.is_open()) return fail(not_here(std::strerror(errno)));
    allow("/", LANDLOCK_ACCESS_FS_READ_DIR);  // names may be seen everywhere
    BELFRY_CHECK(allow_entries_of("/"));
    return std::move(ruleset_);
  }

 private:
  bool is_closed(const fs::path& path) const {
    return std::find(closed_.begin(), closed_.end(), path) != closed_.end();
  }
  bool is_on_the_way(const fs::path& path) const {
    return std::any_of(closed_.begin(), closed_.end(), [&](const fs::path& each) {
      return each.native().starts_with(path.native() + "/");
    });
  }

  // What is gone, or not ours to name, stays closed.
  void allow(const fs::path& path, std::uint64_t what) {
    const Descriptor to(open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!to.is_open()) return;
    const landlock_path_beneath_attr rule{.allowed_access = what & known_,
                                          .parent_fd = to.number()};
    syscall(SYS_landlock_add_rule, ruleset_.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }

  Status allow_entries_of(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
      std::error_code gone;
      const fs::file_status status = each->symlink_status(gone);
      // A link leads to what has its own rule.
      if (is_closed(each->path()) || fs::is_symlink(status)) continue;
      if (is_on_the_way(each->path())) {
        BELFRY_CHECK(allow_entries_of(each->path()));
      } else {
        allow(each->path(), fs::is_directory(status) ? kAll : kFile);
      }
    }
    if (error) return fail(not_here("`" + folder.string() + "` is not listed: " + error.message()));
    return {};
  }

  std::vector<fs::path> closed_;
  std::uint64_t known_ = 0;
  Descriptor ruleset_;
};

}  // namespace

Result<Descriptor> close_files(const std::vector<std::string>& paths) {
  return Closure(paths).make();
}

bool enter_closure(int closure) {
  return syscall(SYS_landlock_restrict_self, closure, 0) == 0;
}

}  // namespace belfry::worker
