#include "service/secrets/seal_keys.h"

#include "base/digest.h"

#include <fmt/format.h>

#include <algorithm>

namespace belfry::service {
namespace {

std::string id_of(const SealKey& key) {
  const std::string_view bytes(reinterpret_cast<const char*>(key.data()), key.size());
  const Sha256 digest = sha256("belfry seal key id" + std::string(bytes));
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2], digest[3]);
}

bool is_between(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

}  // namespace

Result<SealKeys> SealKeys::parse(std::string_view text) {
  SealKeys keys;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (is_between(text[at])) {
      ++at;
    } else {
      std::size_t end = at;
      while (end < text.size() && !is_between(text[end])) ++end;
      const auto bytes = decode_base64(text.substr(at, end - at));
      at = end;
      if (!bytes || bytes->size() != SealKey().size()) {
        return fail({.code = Errc::kInvalid,
                     .message = "a key is 32 bytes in base64, and this is something else",
                     .hint = "make one with: openssl rand -base64 32"});
      }
      SealKey key{};
      std::ranges::copy(*bytes, key.begin());
      keys.keys_.push_back({id_of(key), key});
    }
  }
  return keys;
}

const SealKey* SealKeys::find(std::string_view id) const {
  const auto found = std::ranges::find(keys_, id, &Entry::id);
  return found == keys_.end() ? nullptr : &found->key;
}

std::string draw_seal_key() {
  const SealKey key = random_seal_key();
  return encode_base64({reinterpret_cast<const char*>(key.data()), key.size()});
}

}  // namespace belfry::service
