#include "base/seal.h"

#include <gtest/gtest.h>

namespace belfry {
namespace {

TEST(SealTest, OpensOnlyWithItsKeyAndInItsPlace) {
  const SealKey key = random_seal_key();
  for (const std::string& plain : {std::string(), std::string("a"), std::string(5'000, '\0')}) {
    const std::string sealed = seal_bytes(key, plain, "here");
    EXPECT_EQ(open_bytes(key, sealed, "here"), plain);
    EXPECT_EQ(open_bytes(key, sealed, "there"), std::nullopt);
    EXPECT_EQ(open_bytes(random_seal_key(), sealed, "here"), std::nullopt);
    EXPECT_NE(seal_bytes(key, plain, "here"), sealed) << "equal secrets do not look equal";
  }
}

TEST(SealTest, NoticesEveryChangedByte) {
  const SealKey key = random_seal_key();
  const std::string sealed = seal_bytes(key, "secret", "here");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_EQ(open_bytes(key, changed, "here"), std::nullopt) << i;
    EXPECT_EQ(open_bytes(key, sealed.substr(0, i), "here"), std::nullopt) << i;
  }
}

}  // namespace
}  // namespace belfry
