#include "server/keys/first_key.h"

#include "base/digest.h"

#include <algorithm>
#include <fstream>
#include <string_view>

namespace belfry::server {
namespace {

constexpr std::string_view kPrefix = "bf_";
constexpr std::size_t kShortest = kPrefix.size() + 32;  // nobody guesses that

tl::unexpected<Error> unusable(const std::string& file, const std::string& why) {
  return fail({.code = Errc::kInvalid,
               .message = "`" + file + "` has no key: " + why,
               .field = "first_key_file",
               .hint = "make one with `echo \"bf_$(openssl rand -hex 32)\"`"});
}

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

Result<std::string> read_key(const std::string& file) {
  std::ifstream stream(file);
  std::string key;
  if (!std::getline(stream, key)) return unusable(file, "it is empty or cannot be read");
  if (!key.starts_with(kPrefix)) return unusable(file, "keys begin with `bf_`");
  if (key.size() < kShortest) return unusable(file, "it is too short to be safe");
  if (!std::all_of(key.begin(), key.end(), is_key_character)) {
    return unusable(file, "keys have letters, digits, - and _ only");
  }
  return key;
}

}  // namespace

Status make_first_key(const std::string& file, store::AccessStore& store) {
  BELFRY_TRY(any_keys, store.any_keys());
  if (any_keys) return {};
  BELFRY_TRY(key, read_key(file));
  const auto made = store.put_key({.tenant = TenantId(1),
                                   .name = "first",
                                   .hash = sha256(key),
                                   .scope = store::Scope::kRoot,
                                   .may_exec = true,
                                   .must_be_first = true},
                                  {.actor = "first_key_file", .request_id = ""});
  // Another node was quicker; with the same file there is no difference.
  if (!made && made.error().code != Errc::kConflict) return fail(made.error());
  return {};
}

}  // namespace belfry::server
