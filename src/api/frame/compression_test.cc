#include "api/frame/compression.h"

#include <gtest/gtest.h>

namespace belfry::api {
namespace {

TEST(CompressionTest, TheCallerChooses) {
  for (const char* brotli : {"br", "gzip, br", "gzip;q=0.5, br;q=0.6", "*", "BR", "gzip;q=0,*"}) {
    EXPECT_EQ(choose_encoding(brotli), Encoding::kBrotli) << brotli;
  }
  for (const char* gzip :
       {"gzip", "deflate, gzip", "br;q=0, gzip", "gzip;q=1.0, br;q=0.5", "br;q=0,*;q=0.1"}) {
    EXPECT_EQ(choose_encoding(gzip), Encoding::kGzip) << gzip;
  }
  for (const char* neither :
       {"", "identity", "deflate", "gzip;q=0", "br;q=0, gzip;q=0.000", "*;q=0", "gzip;level=9"}) {
    EXPECT_EQ(choose_encoding(neither), Encoding::kIdentity) << neither;
  }
}

TEST(CompressionTest, SmallAnswersStayAsTheyAre) {
  net::Response response{.body = std::string(kSmallAnswer, 'x')};
  compress(response, Encoding::kGzip);
  EXPECT_EQ(response.body.size(), kSmallAnswer);
  EXPECT_FALSE(response.headers.find("Content-Encoding"));
}

TEST(CompressionTest, ACompressedBodyHasATagOfItsOwn) {
  net::Response response{.headers = {{"ETag", "\"3\""}}, .body = std::string(5'000, 'x')};
  compress(response, Encoding::kBrotli);
  EXPECT_LT(response.body.size(), 1'000U);
  EXPECT_EQ(response.headers.find("Content-Encoding"), "br");
  EXPECT_EQ(response.headers.find("ETag"), "\"3-br\"");
  EXPECT_EQ(response.headers.find("Vary"), "Accept-Encoding");
}

TEST(CompressionTest, NotModifiedNamesTheTagOfTheBodyItSpares) {
  net::Response response{
      .status = 304, .headers = {{"ETag", "\"3\""}}, .body = std::string(5'000, 'x')};
  compress(response, Encoding::kGzip);
  EXPECT_EQ(response.headers.find("ETag"), "\"3-gzip\"");
  EXPECT_FALSE(response.headers.find("Content-Encoding"));
}

TEST(CompressionTest, WhatIsCompressedStaysAsItIs) {
  net::Response response{.status = 200, .body = std::string(5'000, 'x')};
  response.headers.set("Content-Encoding", "br");
  compress(response, Encoding::kGzip);
  EXPECT_EQ(response.body, std::string(5'000, 'x'));
  EXPECT_EQ(response.headers.find("Content-Encoding"), "br");
}

}  // namespace
}  // namespace belfry::api
