#include "server/exec/node_files.h"

#include "worker/closed_files.h"

#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>

namespace belfry::server {
namespace {

namespace fs = std::filesystem;

// The folder, and what does not lie in it.
std::vector<std::string> files_of(const config::ServeOptions& options) {
  constexpr std::string_view kSqlite = "sqlite:";
  std::vector<std::string> files{options.data_dir};
  const auto add = [&](const std::string& file) {
    if (!file.empty() && !file.starts_with(options.data_dir + "/")) files.push_back(file);
  };
  if (options.store.starts_with(kSqlite)) add(options.store.substr(kSqlite.size()));
  add(options.secrets_key_file);
  add(options.archive_dir);
  return files;
}

// A folder in which a file lies, and where its user may write; empty if there is none. Commands of
// that user must be able to make files there.
std::string open_way_to(const std::string& file) {
  std::error_code error;
  fs::path folder = fs::weakly_canonical(fs::absolute(file, error), error);
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    if (access(folder.c_str(), W_OK) == 0) return folder.string();
  }
  return "";
}

// kUnavailable says why not.
Status can_close(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const std::string way = open_way_to(file);
    if (way.empty()) continue;
    return fail(Errc::kUnavailable,
                "`" + file + "` lies in `" + way + "`, where its user may write");
  }
  BELFRY_TRY(tried, worker::close_files(files));
  return {};
}

}  // namespace

void close_node_files(const config::ServeOptions& options, worker::Confinement& confinement,
                      Logger& log) {
  if (confinement.user.is_other) return;
  std::vector<std::string> files = files_of(options);
  if (const Status can = can_close(files); !can) {
    log.warn("files_open_to_commands",
             {{"reason", can.error().message},
              {"hint",
               "commands can read the store and its keys: run `belfry worker` as another user, or "
               "keep the node's files below folders of root, like /var/lib/belfry"}});
    return;
  }
  confinement.closed = std::move(files);
}

}  // namespace belfry::server
