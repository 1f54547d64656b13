#include "deliver/mail/mailer.h"

#include <gtest/gtest.h>

namespace belfry::deliver {
namespace {

TEST(SmtpAddress, IsReadWithLoginAndOptions) {
  const auto smtp =
      SmtpAddress::parse("smtp://me:p@ss@mail.example.com:587?from=b@example.com&ca=/x.pem");
  ASSERT_TRUE(smtp);
  EXPECT_EQ(smtp->url, "smtp://mail.example.com:587");
  EXPECT_EQ(smtp->user, "me");
  EXPECT_EQ(smtp->password, "p@ss");
  EXPECT_EQ(smtp->from, "b@example.com");
  EXPECT_EQ(smtp->ca_file, "/x.pem");
  EXPECT_TRUE(smtp->encrypted);
  EXPECT_FALSE(SmtpAddress::parse("smtp://host?from=a@b&tls=off")->encrypted);
}

TEST(SmtpAddress, IsRefusedWithoutSchemeHostOrSender) {
  for (const char* text :
       {"mail.example.com", "http://h?from=a@b", "smtp://?from=a@b", "smtp://h"}) {
    EXPECT_FALSE(SmtpAddress::parse(text)) << text;
  }
}

TEST(Mail, HasHeadersThatNobodyCanAddTo) {
  const SmtpAddress smtp = *SmtpAddress::parse("smtp://h?from=b@example.com");
  const Mail mail{.id = "alert_7",
                  .to = {"a@example.com", "c@example.com\r\nBcc: x@example.com"},
                  .subject = "broken\r\nX: y",
                  .text = "Grüße\n.\n"};
  const std::string text = message_of(mail, smtp, from_unix_seconds(1'800'000'000));
  EXPECT_NE(text.find("\r\nMessage-ID: <alert_7@example.com>\r\n"), std::string::npos);
  EXPECT_NE(text.find("\r\nSubject: broken  X: y\r\n"), std::string::npos);
  EXPECT_NE(text.find("\r\nDate: Fri, 15 Jan 2027 08:00:00 +0000\r\n"), std::string::npos);
  EXPECT_EQ(text.find("\r\nBcc:"), std::string::npos);
  EXPECT_NE(text.find("\r\n\r\nR3LDvMOfZQouCg==\r\n"), std::string::npos);
  const std::string umlaut =
      message_of({.id = "i", .to = {"a@b"}, .subject = "ü"}, smtp, Instant());
  EXPECT_NE(umlaut.find("\r\nSubject: =?utf-8?B?w7w=?=\r\n"), std::string::npos);
}

}  // namespace
}  // namespace belfry::deliver
