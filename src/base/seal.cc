#include "base/seal.h"

#include "base/assert.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <memory>

namespace belfry {
namespace {

// Random nonces: safe for 2^32 messages under one key, and a key seals far fewer.
constexpr std::size_t kNonce = 12;
constexpr std::size_t kTag = 16;

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

}  // namespace

SealKey random_seal_key() {
  SealKey key{};
  BELFRY_ASSERT(RAND_bytes(key.data(), static_cast<int>(key.size())) == 1);
  return key;
}

std::string seal_bytes(const SealKey& key, std::string_view plain, std::string_view context) {
  std::string out(kNonce + plain.size() + kTag, '\0');
  unsigned char* const at = bytes_of(out);
  BELFRY_ASSERT(RAND_bytes(at, kNonce) == 1);
  const Cipher cipher(EVP_CIPHER_CTX_new());
  int size = 0;
  const bool done =
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), at) == 1 &&
      EVP_EncryptUpdate(cipher.get(), nullptr, &size, bytes_of(context),
                        static_cast<int>(context.size())) == 1 &&
      EVP_EncryptUpdate(cipher.get(), at + kNonce, &size, bytes_of(plain),
                        static_cast<int>(plain.size())) == 1 &&
      EVP_EncryptFinal_ex(cipher.get(), at + kNonce + size, &size) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTag, at + kNonce + plain.size()) ==
          1;
  BELFRY_ASSERT(done);
  return out;
}

std::optional<std::string> open_bytes(const SealKey& key, std::string_view sealed,
                                      std::string_view context) {
  if (sealed.size() < kNonce + kTag) return std::nullopt;
  const std::string_view hidden = sealed.substr(kNonce, sealed.size() - kNonce - kTag);
  std::string tag(sealed.substr(sealed.size() - kTag));
  std::string plain(hidden.size(), '\0');
  const Cipher cipher(EVP_CIPHER_CTX_new());
  int size = 0;
  const bool genuine =
      EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), bytes_of(sealed)) ==
          1 &&
      EVP_DecryptUpdate(cipher.get(), nullptr, &size, bytes_of(context),
                        static_cast<int>(context.size())) == 1 &&
      EVP_DecryptUpdate(cipher.get(), bytes_of(plain), &size, bytes_of(hidden),
                        static_cast<int>(hidden.size())) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTag, tag.data()) == 1 &&
      EVP_DecryptFinal_ex(cipher.get(), bytes_of(plain) + size, &size) == 1;
  if (!genuine) return std::nullopt;
  return plain;
}

}  // namespace belfry
