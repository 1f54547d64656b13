#include "net/url.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace belfry::net {
namespace {

TEST(UrlTest, HasAllItsParts) {
  const auto url = Url::parse("HTTPS://Example.ORG:8443/v1/jobs?a=1&b=%20#part");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->host, "example.org");
  EXPECT_EQ(url->port, 8443);
  EXPECT_EQ(url->path, "/v1/jobs");
  EXPECT_EQ(url->query, "a=1&b=%20");
  EXPECT_EQ(url->target(), "/v1/jobs?a=1&b=%20");
  EXPECT_EQ(to_string(*url), "https://example.org:8443/v1/jobs?a=1&b=%20");
}

TEST(UrlTest, KnowsDefaultPorts) {
  EXPECT_EQ(Url::parse("http://a")->port, 80);
  EXPECT_EQ(Url::parse("https://a")->port, 443);
  EXPECT_EQ(Url::parse("https://a:443/x")->authority(), "a");
  EXPECT_EQ(Url::parse("http://a:443/x")->authority(), "a:443");
  EXPECT_EQ(Url::parse("http://a")->path, "/");
  EXPECT_EQ(Url::parse("http://a?x=1")->target(), "/?x=1");
}

TEST(UrlTest, KeepsBracketsWhereTheyBelong) {
  const auto url = Url::parse("http://[::1]:7070/x");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->authority(), "[::1]:7070");
}

TEST(UrlTest, RefusesWhatIsNone) {
  const std::string bad[] = {
      "",
      "localhost:7070",
      "ftp://a/",
      "http://",
      "http:///x",
      "http://:80",
      "http://a:0x1/",
      "http://a:65536/",
      "http://a:-1/",
      "http://a b/",
      "http://a/x y",
      "http://a/\r\nX: y",
      "http://a/%0",
      "http://a/%zz",
      "http://a/%00",
      "http://u:p@a/",
      "http://[::1/",
      "http://[::1]x/",
      "http://a/?q=%2",
      "http://a_\x01/",
      "http://a/\x7f",
      "http://a\"b/",
  };
  for (const std::string& text : bad) EXPECT_FALSE(Url::parse(text)) << text;
}

TEST(UrlTest, DoesNotRepeatAPassword) {
  const auto url = Url::parse("http://ann:secret@host/");
  ASSERT_FALSE(url);
  EXPECT_EQ(to_string(url.error()).find("secret"), std::string::npos);
}

TEST(UrlTest, DecodesAndEncodes) {
  EXPECT_EQ(decode_percent("a%2Fb%20c"), "a/b c");
  EXPECT_EQ(decode_percent("%e2%82%ac"), "\xe2\x82\xac");
  EXPECT_EQ(decode_percent("%"), std::nullopt);
  EXPECT_EQ(decode_percent("%4"), std::nullopt);
  EXPECT_EQ(decode_percent("%+1"), std::nullopt);
  EXPECT_EQ(decode_percent("a%00"), std::nullopt);
  EXPECT_EQ(encode_percent("a/b c~\xff"), "a%2Fb%20c~%FF");
}

TEST(UrlTest, SplitsPathsBeforeDecoding) {
  using Segments = std::vector<std::string>;
  EXPECT_EQ(split_path("/"), Segments{});
  EXPECT_EQ(split_path("/v1/jobs/a%2Fb"), (Segments{"v1", "jobs", "a/b"}));
  EXPECT_EQ(split_path("/v1/jobs/"), (Segments{"v1", "jobs"}));
  EXPECT_EQ(split_path("/v1//jobs"), (Segments{"v1", "", "jobs"}));
  EXPECT_EQ(split_path("/a/../b"), std::nullopt);
  EXPECT_EQ(split_path("/a/%2e%2E/b"), std::nullopt);
}

TEST(UrlTest, ReadsAndWritesQueries) {
  const auto query = parse_query("a=1&b=x+y%2B&&c&d==");
  ASSERT_TRUE(query);
  ASSERT_EQ(query->size(), 4U);
  EXPECT_EQ((*query)[1].value, "x y+");
  EXPECT_EQ((*query)[2].name, "c");
  EXPECT_EQ((*query)[2].value, "");
  EXPECT_EQ((*query)[3].value, "=");
  EXPECT_FALSE(parse_query("a=%"));
  EXPECT_EQ(format_query(*query), "a=1&b=x%20y%2B&c=&d=%3D");
}

TEST(HostPortTest, NeedsBoth) {
  EXPECT_EQ(to_string(*HostPort::parse("127.0.0.1:0")), "127.0.0.1:0");
  EXPECT_EQ(to_string(*HostPort::parse("[::1]:7070")), "[::1]:7070");
  for (const char* text : {"", "7070", ":7070", "localhost", "localhost:", "a:b", "::1:80"}) {
    EXPECT_FALSE(HostPort::parse(text)) << text;
  }
}

TEST(HostPortTest, OnlyAddressesAreTheLoopback) {
  for (const char* own : {"localhost", "LocalHost", "127.0.0.1", "127.255.0.9", "::1"}) {
    EXPECT_TRUE(is_loopback(own)) << own;
  }
  for (const char* other : {"127.evil.example", "127.0.0.1.nip.io", "0.0.0.0", "::", "10.0.0.1",
                            "localhost.evil.example", "", "127.1"}) {
    EXPECT_FALSE(is_loopback(other)) << other;
  }
}

TEST(HeadersTest, IgnoreCase) {
  Headers headers{{"Content-Type", "a"}};
  headers.add("X-Two", "1");
  headers.add("x-two", "2");
  EXPECT_EQ(headers.find("content-type"), "a");
  EXPECT_EQ(headers.find("X-TWO"), "1");
  EXPECT_EQ(headers.find("X-Tw"), std::nullopt);
  headers.set("X-TWO", "3");
  EXPECT_EQ(headers.find("x-two"), "3");
  EXPECT_EQ(headers.end() - headers.begin(), 2);
}

}  // namespace
}  // namespace belfry::net
