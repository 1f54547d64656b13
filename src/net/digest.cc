#include "net/digest.h"

#include "base/assert.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <vector>

namespace belfry::net {

Sha256 sha256(std::string_view text) {
  Sha256 digest{};
  unsigned int size = 0;
  const int done =
      EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
  BELFRY_ASSERT(done == 1 && size == digest.size());
  return digest;
}

std::string random_token(std::size_t bytes) {
  static constexpr char kLetters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::vector<std::uint8_t> random(bytes);
  BELFRY_ASSERT(RAND_bytes(random.data(), static_cast<int>(bytes)) == 1);
  std::string text;
  std::uint32_t bits = 0;
  int held = 0;
  for (const std::uint8_t byte : random) {
    bits = bits << 8 | byte;
    for (held += 8; held >= 6; held -= 6) text += kLetters[bits >> (held - 6) & 63];
  }
  if (held > 0) text += kLetters[bits << (6 - held) & 63];
  return text;
}

}  // namespace belfry::net
