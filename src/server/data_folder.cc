#include "server/data_folder.h"

#include <filesystem>
#include <system_error>

namespace belfry::server {

bool keeps_files(const config::ServeOptions& options) {
  return options.store.starts_with("sqlite:" + options.data_dir + "/");
}

Status make_folder(const std::string& folder) {
  std::error_code error;
  const bool made = std::filesystem::create_directories(folder, error);
  if (made) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  }
  if (!error) return {};
  return fail({.code = Errc::kInvalid,
               .message = "`" + folder + "` cannot be made: " + error.message(),
               .field = "data_dir",
               .hint = "name a folder that this user may write to"});
}

void warn_of_open_folder(const std::string& folder, Logger& log) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::perms others =
      fs::status(folder, error).permissions() & (fs::perms::group_all | fs::perms::others_all);
  if (error || others == fs::perms::none) return;
  log.warn("data_dir_open_to_others",
           {{"data_dir", folder}, {"hint", "chmod 700: payloads and secrets are in there"}});
}

}  // namespace belfry::server
