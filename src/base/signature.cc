#include "base/signature.h"

#include "base/assert.h"
#include "base/digest.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>
#include <optional>

namespace belfry {
namespace {

constexpr std::size_t kSignatureSize = 64;

struct FreeOpenssl {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(BIO* text) const { BIO_free(text); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeOpenssl>;
using SignContext = std::unique_ptr<EVP_MD_CTX, FreeOpenssl>;
using Text = std::unique_ptr<BIO, FreeOpenssl>;

Key key_of(const SigningKey::Seed& seed) {
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()));
  BELFRY_ASSERT(key != nullptr);
  return key;
}

const unsigned char* raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string SigningKey::public_key() const {
  const Key key = key_of(seed_);
  const Text text(BIO_new(BIO_s_mem()));
  BELFRY_ASSERT(text != nullptr && PEM_write_bio_PUBKEY(text.get(), key.get()) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(text.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string SigningKey::sign(std::string_view message) const {
  const Key key = key_of(seed_);
  const SignContext context(EVP_MD_CTX_new());
  std::string bytes(kSignatureSize, '\0');
  std::size_t size = bytes.size();
  const bool done = EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
                    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(bytes.data()),
                                   &size, raw(message), message.size()) == 1;
  BELFRY_ASSERT(done && size == kSignatureSize);
  return encode_base64(bytes);
}

bool is_signed(std::string_view message, std::string_view public_key, std::string_view signature) {
  const Text text(BIO_new_mem_buf(public_key.data(), static_cast<int>(public_key.size())));
  const Key key(text ? PEM_read_bio_PUBKEY(text.get(), nullptr, nullptr, nullptr) : nullptr);
  const auto bytes = decode_base64(signature);
  if (!key || !bytes) return false;
  const SignContext context(EVP_MD_CTX_new());
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), raw(*bytes), bytes->size(), raw(message),
                          message.size()) == 1;
}

}  // namespace belfry
