#include "service/access/oidc.h"

#include "base/digest.h"
#include "base/manual_clock.h"
#include "store/sqlite/sqlite_store.h"

#include <gtest/gtest.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <algorithm>

namespace belfry::service {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNow = from_unix_seconds(1'800'000'000);

std::string url_safe(std::string_view bytes) {
  std::string text = encode_base64(bytes);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  text.erase(text.find_last_not_of('=') + 1);
  return text;
}

// Somebody who signs tokens, with a key of the given kind.
class Issuer {
 public:
  Issuer(std::string kind, std::string id) : kind_(std::move(kind)), id_(std::move(id)) {
    key_ = kind_ == "RSA"  ? EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", std::size_t{2048})
           : kind_ == "EC" ? EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256")
                           : EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  }
  ~Issuer() { EVP_PKEY_free(key_); }
  Issuer(const Issuer&) = delete;
  Issuer& operator=(const Issuer&) = delete;

  Json jwk() const {
    if (kind_ == "RSA")
      return {{"kty", kind_}, {"kid", id_}, {"n", number("n")}, {"e", number("e")}};
    if (kind_ == "EC") {
      return {{"kty", kind_},
              {"kid", id_},
              {"crv", "P-256"},
              {"x", number("qx", 32)},
              {"y", number("qy", 32)}};
    }
    std::string raw(32, '\0');
    std::size_t size = raw.size();
    EVP_PKEY_get_raw_public_key(key_, reinterpret_cast<unsigned char*>(raw.data()), &size);
    return {{"kty", kind_}, {"kid", id_}, {"crv", "Ed25519"}, {"x", url_safe(raw)}};
  }

  std::string algorithm() const {
    return kind_ == "RSA" ? "RS256" : kind_ == "EC" ? "ES256" : "EdDSA";
  }

  std::string sign(const Json& claims, const Json& header_patch = Json::object()) const {
    Json header{{"alg", algorithm()}, {"kid", id_}};
    header.merge_patch(header_patch);
    const std::string text = url_safe(header.dump()) + "." + url_safe(claims.dump());
    return text + "." + url_safe(signature_of(text));
  }

 private:
  std::string number(const char* name, int width = 0) const {
    BIGNUM* value = nullptr;
    EVP_PKEY_get_bn_param(key_, name, &value);
    std::string bytes(static_cast<std::size_t>(width > 0 ? width : BN_num_bytes(value)), '\0');
    BN_bn2binpad(value, reinterpret_cast<unsigned char*>(bytes.data()),
                 static_cast<int>(bytes.size()));
    BN_free(value);
    return url_safe(bytes);
  }
  std::string signature_of(const std::string& text) const {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    EVP_DigestSignInit(context, nullptr, kind_ == "OKP" ? nullptr : EVP_sha256(), nullptr, key_);
    std::string signature(1024, '\0');
    std::size_t size = signature.size();
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    EVP_DigestSign(context, reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                   text.size());
    EVP_MD_CTX_free(context);
    signature.resize(size);
    return kind_ == "EC" ? raw_of(signature) : signature;
  }
  static std::string raw_of(const std::string& asn1) {
    const auto* from = reinterpret_cast<const unsigned char*>(asn1.data());
    ECDSA_SIG* parsed = d2i_ECDSA_SIG(nullptr, &from, static_cast<long>(asn1.size()));
    std::string raw(64, '\0');
    auto* to = reinterpret_cast<unsigned char*>(raw.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(parsed), to, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(parsed), to + 32, 32);
    ECDSA_SIG_free(parsed);
    return raw;
  }

  const std::string kind_;
  const std::string id_;
  EVP_PKEY* key_ = nullptr;
};

class OidcTest : public testing::Test {
 protected:
  OidcTest() {
    EXPECT_TRUE(store_->put_tenant({.name = "acme", .max_requests = 7}));
    publish({rsa_.jwk(), ec_.jwk(), ed_.jwk()});
  }
  void publish(const std::vector<Json>& keys) { published_ = Json{{"keys", keys}}.dump(); }
  static Json claims() {
    return {{"iss", "https://id.example"}, {"aud", "belfry"},  {"sub", "alice"},
            {"exp", 1'800'000'600},        {"tenant", "acme"}, {"belfry", "operator"}};
  }
  static Json with(const Json& patch) {
    Json changed = claims();
    changed.merge_patch(patch);
    return changed;
  }
  std::string refusal_of(const std::string& token) {
    const auto answer = oidc_.identify(token);
    return answer ? "accepted" : answer.error().message;
  }
  std::string refusal_of_claims(const Json& patch) { return refusal_of(rsa_.sign(with(patch))); }

  ManualClock clock_{kNow};
  std::unique_ptr<store::Store> store_ =
      *store::open_sqlite({.path = ":memory:", .now = [] { return kNow; }});
  Issuer rsa_{"RSA", "r1"};
  Issuer ec_{"EC", "e1"};
  Issuer ed_{"OKP", "o1"};
  std::string published_;
  int readings_ = 0;
  Oidc oidc_{{.issuer = "https://id.example",
              .audience = "belfry",
              .tenant_claim = "tenant",
              .scopes_claim = "belfry"},
             {.tenants = *store_,
              .clock = clock_,
              .now = [this] { return clock_.wall_now(); },
              .read_keys = [this]() -> Result<std::string> {
                ++readings_;
                if (published_.empty()) return fail(Errc::kUnavailable, "away");
                return published_;
              }}};
};

TEST_F(OidcTest, TheClaimsSayWhoItIs) {
  for (const Issuer* issuer : {&rsa_, &ec_, &ed_}) {
    const auto holder = oidc_.identify(issuer->sign(claims()));
    ASSERT_TRUE(holder) << issuer->algorithm() << ": " << holder.error().message;
    EXPECT_EQ(holder->principal.actor, "oidc:alice");
    EXPECT_EQ(holder->principal.tenant_name, "acme");
    EXPECT_EQ(holder->principal.scope, store::Scope::kOperator);
    EXPECT_EQ(holder->principal.max_requests, 7U);
    EXPECT_FALSE(holder->principal.may_exec);
    EXPECT_FALSE(holder->principal.all_tenants);
  }
  const auto trusted = oidc_.identify(rsa_.sign(with({{"belfry", {"admin", "exec"}}})));
  ASSERT_TRUE(trusted);
  EXPECT_EQ(trusted->principal.scope, store::Scope::kAdmin);
  EXPECT_TRUE(trusted->principal.may_exec);
}

TEST_F(OidcTest, TokensForOthersAreRefused) {
  EXPECT_EQ(refusal_of_claims({{"iss", "https://id.example/"}}), "the token is of another issuer");
  EXPECT_EQ(refusal_of_claims({{"aud", {"a", "b"}}}), "the token is for another audience");
  EXPECT_EQ(refusal_of_claims({{"aud", nullptr}}), "the token is for another audience");
  EXPECT_EQ(refusal_of_claims({{"aud", {"a", "belfry"}}}), "accepted");
  EXPECT_EQ(refusal_of_claims({{"tenant", "nobody"}}),
            "the token names a tenant that does not exist");
  EXPECT_EQ(refusal_of_claims({{"tenant", nullptr}}), "the token names no tenant in `tenant`");
  EXPECT_EQ(refusal_of_claims({{"belfry", "emperor"}}), "the token names no scope in `belfry`");
  EXPECT_EQ(refusal_of_claims({{"belfry", "viewer admin"}}),
            "the token names several scopes in `belfry`");
  EXPECT_EQ(refusal_of_claims({{"sub", "two words"}}), "the token names nobody in `sub`");
  EXPECT_EQ(refusal_of_claims({{"sub", "a\nb"}}), "the token names nobody in `sub`");
}

TEST_F(OidcTest, TokensHaveTheirTime) {
  EXPECT_EQ(refusal_of_claims({{"exp", nullptr}}), "the token never expires");
  EXPECT_EQ(refusal_of_claims({{"exp", "soon"}}), "the token never expires");
  EXPECT_EQ(refusal_of_claims({{"exp", 1'799'999'941}}), "accepted");  // clocks differ
  EXPECT_EQ(refusal_of_claims({{"exp", 1'799'999'940}}), "the token has expired");
  EXPECT_EQ(refusal_of_claims({{"nbf", 1'800'000'060}}), "accepted");
  EXPECT_EQ(refusal_of_claims({{"nbf", 1'800'000'061}}), "the token is not valid yet");
}

TEST_F(OidcTest, OnlyTheIssuersKeysSign) {
  const Issuer stranger("RSA", "r1");
  EXPECT_EQ(refusal_of(stranger.sign(claims())), "the token has a wrong signature");
  std::string forged = rsa_.sign(claims());
  const std::size_t begin = forged.find('.') + 1;
  forged.replace(begin, forged.rfind('.') - begin, url_safe(with({{"belfry", "root"}}).dump()));
  EXPECT_EQ(refusal_of(forged), "the token has a wrong signature");
}

// The classic holes: no signature at all, and a public key taken for a secret that is shared.
TEST_F(OidcTest, ATokenDoesNotChooseHowItIsChecked) {
  for (const char* algorithm : {"none", "None", "", "HS256", "ES256", "RS1"}) {
    EXPECT_EQ(refusal_of(rsa_.sign(claims(), {{"alg", algorithm}})),
              "no known key of the issuer has signed the token")
        << algorithm;
  }
  EXPECT_EQ(refusal_of(rsa_.sign(claims(), {{"crit", {"exp"}}})), "the token is not a JWT");
  const std::string good = rsa_.sign(claims());
  EXPECT_EQ(refusal_of(good.substr(0, good.rfind('.') + 1)), "the token has a wrong signature");
  for (const char* text : {"", ".", "..", "...", "eyJ.eyJ.x", "a.b.c.d"}) {
    EXPECT_EQ(refusal_of(text), "the token is not a JWT") << text;
  }
}

TEST_F(OidcTest, ANewKeyIsFoundOutAndStrangersCostLittle) {
  const Issuer next("EC", "e2");
  ASSERT_EQ(refusal_of(rsa_.sign(claims())), "accepted");
  publish({rsa_.jwk(), next.jwk()});
  for (int i = 0; i < 100; ++i) refusal_of(next.sign(claims()));
  EXPECT_EQ(readings_, 1) << "not more often than every ten seconds";
  clock_.advance(10s);
  EXPECT_EQ(refusal_of(next.sign(claims())), "accepted");
  EXPECT_EQ(readings_, 2);
}

TEST_F(OidcTest, AKeyThatIsTakenBackIsForgotten) {
  ASSERT_EQ(refusal_of(ec_.sign(claims())), "accepted");
  publish({rsa_.jwk()});
  clock_.advance(10min);
  clock_.set_wall(kNow);
  EXPECT_EQ(refusal_of(ec_.sign(claims())), "no known key of the issuer has signed the token");
}

TEST_F(OidcTest, AnIssuerThatIsAwayLocksNobodyOut) {
  ASSERT_EQ(refusal_of(rsa_.sign(claims())), "accepted");
  published_.clear();
  clock_.advance(10min);
  clock_.set_wall(kNow);
  EXPECT_EQ(refusal_of(rsa_.sign(claims())), "accepted");
}

TEST_F(OidcTest, WithoutKeysNobodyIsLetIn) {
  published_.clear();
  EXPECT_EQ(oidc_.identify(rsa_.sign(claims())).error().code, Errc::kUnavailable);
  publish({{{"kty", "oct"}, {"k", "c2VjcmV0"}}});
  EXPECT_EQ(oidc_.identify(rsa_.sign(claims())).error().code, Errc::kUnavailable);
}

TEST(IsJwtTest, OurOwnKeysAreNone) {
  EXPECT_TRUE(is_jwt("eyJhbGciOiJub25lIn0.e30."));
  EXPECT_FALSE(is_jwt("bf_0123456789abcdef"));
  EXPECT_FALSE(is_jwt("eyJ.e30"));
}

}  // namespace
}  // namespace belfry::service
