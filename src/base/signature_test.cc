#include "base/signature.h"

#include "base/digest.h"

#include <gtest/gtest.h>

namespace belfry {
namespace {

SigningKey::Seed seed_of(const char* hex) {
  SigningKey::Seed seed{};
  for (std::size_t i = 0; i < seed.size(); ++i) {
    seed[i] = static_cast<std::uint8_t>(std::stoi(std::string(hex + 2 * i, 2), nullptr, 16));
  }
  return seed;
}

// RFC 8032, 7.1, test 1: the empty message.
TEST(SignatureTest, IsThatOfTheStandard) {
  const SigningKey key(seed_of("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"));
  const auto bytes = decode_base64(key.sign(""));
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->substr(0, 4), std::string("\xe5\x56\x43\x00", 4));
  EXPECT_TRUE(key.public_key().starts_with("-----BEGIN PUBLIC KEY-----\n"));
  EXPECT_TRUE(is_signed("", key.public_key(), key.sign("")));
}

TEST(SignatureTest, HoldsForOneMessageAndOneKeyOnly) {
  const SigningKey key(SigningKey::Seed{1});
  const SigningKey other(SigningKey::Seed{2});
  const std::string signature = key.sign("a day without a hole");
  EXPECT_TRUE(is_signed("a day without a hole", key.public_key(), signature));
  EXPECT_FALSE(is_signed("a day without a whole", key.public_key(), signature));
  EXPECT_FALSE(is_signed("a day without a hole", other.public_key(), signature));
  EXPECT_FALSE(is_signed("a day without a hole", key.public_key(), ""));
  EXPECT_FALSE(is_signed("a day without a hole", "no key", signature));
}

}  // namespace
}  // namespace belfry
