#include "deliver/webhook/signature.h"

#include "base/digest.h"

#include <gtest/gtest.h>

namespace belfry::deliver {
namespace {

// From the test of the Standard Webhooks reference libraries.
constexpr std::string_view kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr std::string_view kBody = R"({"test": 2432232314})";

TEST(SignatureTest, IsTheOneOfTheReferenceLibraries) {
  EXPECT_EQ(sign_webhook(kSecret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1'614'265'330, kBody),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(SignatureTest, EachSecretSigns) {
  const std::string both = sign_webhook("one  two", "id", 5, "x");
  EXPECT_EQ(both, sign_webhook("one", "id", 5, "x") + " " + sign_webhook("two", "id", 5, "x"));
}

TEST(SignatureTest, EveryPartCounts) {
  const std::string right = sign_webhook(kSecret, "id", 5, "body");
  EXPECT_NE(sign_webhook(kSecret, "ie", 5, "body"), right);
  EXPECT_NE(sign_webhook(kSecret, "id", 6, "body"), right);
  EXPECT_NE(sign_webhook(kSecret, "id", 5, "bodx"), right);
  EXPECT_EQ(sign_webhook("", "id", 5, "body"), "");
}

TEST(Base64Test, ThereAndBack) {
  for (const std::string text : {"", "f", "fo", "foo", "foob", "fooba", "foobar"}) {
    EXPECT_EQ(decode_base64(encode_base64(text)), text);
  }
  EXPECT_EQ(encode_base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(decode_base64("no blanks"), std::nullopt);
}

}  // namespace
}  // namespace belfry::deliver
