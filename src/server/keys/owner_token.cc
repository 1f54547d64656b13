#include "server/keys/owner_token.h"

#include "config/data_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace belfry::server {

Status write_owner_token(const std::string& folder, const std::string& token,
                         const std::string& address) {
  const std::string path = config::owner_token_file(folder);
  const std::string fresh = path + ".new";  // never seen half written, or with another's rights
  ::unlink(fresh.c_str());
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const std::string text = token + "\n" + address + "\n";
  const bool written =
      file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) ::close(file);
  if (written && ::rename(fresh.c_str(), path.c_str()) == 0) return {};
  return fail({.code = Errc::kInvalid,
               .message = "`" + path + "` cannot be written: " + std::strerror(errno),
               .field = "data_dir",
               .hint = "name a folder that this user may write to"});
}

void remove_owner_token(const std::string& folder) {
  ::unlink(config::owner_token_file(folder).c_str());
}

}  // namespace belfry::server
