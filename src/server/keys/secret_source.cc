#include "server/keys/secret_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <sstream>
#include <system_error>

namespace belfry::server {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

Error unusable_keys(const std::string& path, const std::string& why) {
  return {.code = Errc::kInvalid,
          .message = "the key file `" + path + "` cannot be used: " + why,
          .field = "secrets_key_file",
          .hint = "name a file that this user may read"};
}

std::string trouble() {
  return std::generic_category().message(errno);
}

Result<std::string> read_keys(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail(unusable_keys(path, trouble()));
  return text.str();
}

bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

// All of it or nothing, for its owner only; a crash leaves the file as it was.
Status write_file(const std::string& path, const std::string& text) {
  const std::string fresh = path + ".new";
  ::unlink(fresh.c_str());
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return fail(unusable_keys(fresh, trouble()));
  const bool written =
      ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(file) == 0;
  const std::string why = written ? "" : trouble();
  ::close(file);
  if (!written) return fail(unusable_keys(fresh, why));
  if (::rename(fresh.c_str(), path.c_str()) != 0) return fail(unusable_keys(path, trouble()));
  return {};
}

// Keys that the node makes itself: the newest first, the older ones for what is not sealed anew yet
// and for backups.
service::SecretBox::Source own_file(const std::string& path) {
  const auto read = [path]() -> Result<std::string> {
    return exists(path) ? read_keys(path) : Result<std::string>("");
  };
  const auto renew = [path, read]() -> Status {
    BELFRY_TRY(old, read());
    return write_file(path, service::draw_seal_key() + "\n" + old);
  };
  return {.read = read, .renew = renew};
}

// For as long as the process lives, like the database.
service::SecretBox::Source in_memory() {
  const auto keys = std::make_shared<std::string>();
  return {.read = [keys] { return Result<std::string>(*keys); },
          .renew = [keys]() -> Status {
            *keys = service::draw_seal_key() + "\n" + *keys;
            return {};
          }};
}

}  // namespace

service::SecretBox::Source secret_source(const config::ServeOptions& options) {
  if (!options.secrets_key_file.empty()) {
    return {.read = [path = options.secrets_key_file] { return read_keys(path); }};
  }
  if (!options.secrets_key.empty()) {
    return {.read = [key = options.secrets_key] { return Result<std::string>(key); }};
  }
  if (!options.store.starts_with(kSqlite)) {
    return {.read = [] { return Result<std::string>(""); }};
  }
  const std::string path = options.store.substr(kSqlite.size());
  return path == ":memory:" ? in_memory() : own_file(path + ".key");
}

void warn_of_open_files(const config::ServeOptions& options, Logger& log) {
  std::string own;
  if (options.store.starts_with(kSqlite)) own = options.store.substr(kSqlite.size()) + ".key";
  for (const std::string& path :
       {options.secrets_key_file, options.tls_key, options.metrics_token_file, own}) {
    struct stat status{};
    if (path.empty() || ::stat(path.c_str(), &status) != 0) continue;
    if ((status.st_mode & (S_IRWXG | S_IRWXO)) == 0) continue;
    log.warn("key_file_is_open", {{"file", path},
                                  {"problem", "others than its owner can read it"},
                                  {"hint", "chmod 600 " + path}});
  }
}

}  // namespace belfry::server
