#include "base/jwk_set.h"

#include "base/digest.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <array>

namespace belfry {
namespace {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using PublicKey = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using ParameterList = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

constexpr std::size_t kLongestToken = 16 * 1024;
constexpr std::size_t kMostKeys = 100;
constexpr std::size_t kP256Bytes = 32;
constexpr int kLeastRsaBits = 2048;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::optional<std::string> decode_base64url(std::string_view text) {
  std::string standard(text);
  std::replace(standard.begin(), standard.end(), '-', '+');
  std::replace(standard.begin(), standard.end(), '_', '/');
  return decode_base64(standard);
}

// A field of a JSON object that must be a text; empty if it is none.
std::string text_at(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string bytes_at(const Json& object, const char* name) {
  return decode_base64url(text_at(object, name)).value_or("");
}

PublicKey make_key(const char* kind, OSSL_PARAM_BLD& builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(&builder));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1) return nullptr;
  if (EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
    return nullptr;
  return PublicKey(key);
}

PublicKey read_rsa(const Json& jwk) {
  const std::string modulus = bytes_at(jwk, "n");
  const std::string exponent = bytes_at(jwk, "e");
  if (modulus.empty() || exponent.empty()) return nullptr;
  const Number n(BN_bin2bn(bytes_of(modulus), static_cast<int>(modulus.size()), nullptr));
  const Number e(BN_bin2bn(bytes_of(exponent), static_cast<int>(exponent.size()), nullptr));
  const ParameterList builder(OSSL_PARAM_BLD_new());
  if (!n || !e || !builder || BN_num_bits(n.get()) < kLeastRsaBits) return nullptr;
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
  return make_key("RSA", *builder);
}

PublicKey read_p256(const Json& jwk) {
  const std::string x = bytes_at(jwk, "x");
  const std::string y = bytes_at(jwk, "y");
  if (text_at(jwk, "crv") != "P-256" || x.size() != kP256Bytes || y.size() != kP256Bytes)
    return nullptr;
  const std::string point = '\x04' + x + y;
  const ParameterList builder(OSSL_PARAM_BLD_new());
  if (!builder) return nullptr;
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                   point.size());
  return make_key("EC", *builder);
}

PublicKey read_ed25519(const Json& jwk) {
  const std::string x = bytes_at(jwk, "x");
  if (text_at(jwk, "crv") != "Ed25519") return nullptr;
  return PublicKey(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(x), x.size()));
}

// ES256 writes the two numbers of a signature side by side; the library wants them as ASN.1.
std::string to_asn1(const std::string& raw) {
  if (raw.size() != 2 * kP256Bytes) return "";
  const Signature signature(ECDSA_SIG_new());
  BIGNUM* r = BN_bin2bn(bytes_of(raw), kP256Bytes, nullptr);
  BIGNUM* s = BN_bin2bn(bytes_of(raw) + kP256Bytes, kP256Bytes, nullptr);
  if (!signature || ECDSA_SIG_set0(signature.get(), r, s) != 1) return "";
  unsigned char* encoded = nullptr;
  const int size = i2d_ECDSA_SIG(signature.get(), &encoded);
  std::string text =
      size > 0 ? std::string(reinterpret_cast<char*>(encoded), static_cast<std::size_t>(size)) : "";
  OPENSSL_free(encoded);
  return text;
}

tl::unexpected<Error> wrong(std::string_view what) {
  return fail(Errc::kInvalid, "the token " + std::string(what));
}

}  // namespace

struct JwkSet::Key {
  std::string id;
  std::string kind;  // kty: RSA, EC, OKP
  PublicKey key;

  // A key takes part only in the ways of signing that fit its kind: a token cannot choose another.
  bool fits(std::string_view algorithm) const {
    if (kind == "RSA") return algorithm == "RS256" || algorithm == "PS256";
    return kind == "EC" ? algorithm == "ES256" : algorithm == "EdDSA";
  }
  bool has_signed(std::string_view text, const std::string& signature,
                  std::string_view algorithm) const;
};

bool JwkSet::Key::has_signed(std::string_view text, const std::string& signature,
                             std::string_view algorithm) const {
  const std::string wanted = kind == "EC" ? to_asn1(signature) : signature;
  const DigestContext context(EVP_MD_CTX_new());
  EVP_PKEY_CTX* details = nullptr;
  const EVP_MD* digest = kind == "OKP" ? nullptr : EVP_sha256();
  if (!context || EVP_DigestVerifyInit(context.get(), &details, digest, nullptr, key.get()) != 1)
    return false;
  if (algorithm == "PS256") {
    EVP_PKEY_CTX_set_rsa_padding(details, RSA_PKCS1_PSS_PADDING);
    EVP_PKEY_CTX_set_rsa_pss_saltlen(details, RSA_PSS_SALTLEN_DIGEST);
  }
  return EVP_DigestVerify(context.get(), bytes_of(wanted), wanted.size(), bytes_of(text),
                          text.size()) == 1;
}

Result<JwkSet> JwkSet::parse(std::string_view text) {
  const auto json = parse_json(text);
  const auto keys = json && json->is_object() ? json->find("keys") : Json::const_iterator();
  if (!json || !json->is_object() || keys == json->end() || !keys->is_array() ||
      keys->size() > kMostKeys) {
    return fail(Errc::kInvalid, "this is not a JWK set: {\"keys\": […]}");
  }
  JwkSet set;
  for (const Json& jwk : *keys) {
    if (!jwk.is_object() || text_at(jwk, "use") == "enc") continue;
    const std::string kind = text_at(jwk, "kty");
    PublicKey key = kind == "RSA"   ? read_rsa(jwk)
                    : kind == "EC"  ? read_p256(jwk)
                    : kind == "OKP" ? read_ed25519(jwk)
                                    : nullptr;
    if (key)
      set.keys_.push_back(
          std::make_shared<const Key>(Key{text_at(jwk, "kid"), kind, std::move(key)}));
  }
  if (set.keys_.empty())
    return fail(Errc::kInvalid, "the JWK set has no key of RSA, P-256 or Ed25519");
  return set;
}

Result<Json> JwkSet::verify(std::string_view token) const {
  const std::size_t first = token.find('.');
  const std::size_t second = first == token.npos ? first : token.find('.', first + 1);
  const bool has_form = second != token.npos && token.find('.', second + 1) == token.npos &&
                        token.size() <= kLongestToken;
  if (!has_form) return wrong("is not a JWT");
  const auto header = parse_json(decode_base64url(token.substr(0, first)).value_or(""));
  const auto signature = decode_base64url(token.substr(second + 1));
  if (!header || !header->is_object() || !signature || header->contains("crit"))
    return wrong("is not a JWT");
  const std::string algorithm = text_at(*header, "alg");
  const std::string id = text_at(*header, "kid");
  bool known = false;
  for (const auto& key : keys_) {
    if ((!id.empty() && key->id != id) || !key->fits(algorithm)) continue;
    known = true;
    if (!key->has_signed(token.substr(0, second), *signature, algorithm)) continue;
    auto claims =
        parse_json(decode_base64url(token.substr(first + 1, second - first - 1)).value_or(""));
    if (!claims || !claims->is_object()) return wrong("has no claims");
    return *std::move(claims);
  }
  if (!known) return fail(Errc::kNotFound, "no known key of the issuer has signed the token");
  return wrong("has a wrong signature");
}

}  // namespace belfry
