#include "console/pages.h"

#include <gtest/gtest.h>

#include <array>

namespace belfry::console {
namespace {

constexpr std::array<Asset, 2> kFiles{{
    {"/assets/app-12.js", "text/javascript", "e1", true, "plain script", "br script", "gz script"},
    {"/index.html", "text/html; charset=utf-8", "e2", false, "plain page", "br page", "gz page"},
}};

net::Request ask(std::string path, net::Headers headers = {}, std::string method = "GET") {
  net::Request request{.method = std::move(method), .path = path, .headers = std::move(headers)};
  for (std::size_t at = 1; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    request.segments.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return request;
}

std::string header(const net::Response& response, std::string_view name) {
  return std::string(response.headers.find(name).value_or("(none)"));
}

const net::Headers kBrowser{{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"},
                            {"Accept-Encoding", "gzip, deflate, br, zstd"}};

TEST(PagesTest, HashedFilesMayBeKeptForEver) {
  const auto response = answer(ask("/assets/app-12.js"), kFiles);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "plain script");
  EXPECT_EQ(header(*response, "Content-Type"), "text/javascript");
  EXPECT_EQ(header(*response, "Cache-Control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(header(*response, "ETag"), "\"e1\"");
}

TEST(PagesTest, EveryPageIsTheDocumentAndAsksEachTimeWhetherItIsCurrent) {
  for (const char* path : {"/", "/jobs", "/jobs/0000000000012a3b/why", "/no-such-page"}) {
    const auto response = answer(ask(path, kBrowser), kFiles);
    ASSERT_TRUE(response) << path;
    EXPECT_EQ(response->body, "br page");
    EXPECT_EQ(header(*response, "Cache-Control"), "no-cache");
  }
}

TEST(PagesTest, WhoTakesNoHtmlGetsNone) {
  EXPECT_FALSE(answer(ask("/jobs"), kFiles));
  EXPECT_FALSE(answer(ask("/jobs", {{"Accept", "application/json"}}), kFiles));
  EXPECT_FALSE(answer(ask("/jobs", {{"Accept", "text/html;q=0"}}), kFiles));
}

// Programs that follow the `type` of a problem say nothing of HTML.
TEST(PagesTest, WhatErrorsPointAtIsThereForEverybody) {
  for (const char* path : {"/", "/problems/invalid", "/docs", "/docs/concepts/states"}) {
    EXPECT_TRUE(answer(ask(path), kFiles)) << path;
    EXPECT_TRUE(answer(ask(path, {{"Accept", "*/*"}}), kFiles)) << path;
  }
}

TEST(PagesTest, TheApiAndMissingFilesAreNotPages) {
  EXPECT_FALSE(answer(ask("/api/v1/nothing", kBrowser), kFiles));
  EXPECT_FALSE(answer(ask("/assets/old-11.js", kBrowser), kFiles));
}

TEST(PagesTest, OnlyReadingIsAnswered) {
  EXPECT_FALSE(answer(ask("/", kBrowser, "POST"), kFiles));
  EXPECT_TRUE(answer(ask("/", kBrowser, "HEAD"), kFiles));
}

TEST(PagesTest, SendsTheBestEncodingThatIsTaken) {
  const auto body = [](std::string encodings) {
    const auto response =
        answer(ask("/assets/app-12.js", {{"Accept-Encoding", std::move(encodings)}}), kFiles);
    return response->body + " " + header(*response, "Content-Encoding");
  };
  EXPECT_EQ(body("gzip, br"), "br script br");
  EXPECT_EQ(body("GZIP"), "gz script gzip");
  EXPECT_EQ(body("br;q=0, gzip;q=0.5"), "gz script gzip");
  EXPECT_EQ(body("br;q=0.001"), "br script br");
  EXPECT_EQ(body("identity"), "plain script (none)");
  EXPECT_EQ(body("brotli"), "plain script (none)");
}

TEST(PagesTest, WhatIsKnownIsNotSentAgain) {
  const auto response =
      answer(ask("/assets/app-12.js", {{"If-None-Match", "\"other\", W/\"e1\""}}), kFiles);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 304);
  EXPECT_EQ(response->body, "");
  EXPECT_EQ(answer(ask("/", kBrowser), kFiles)->status, 200);
}

TEST(PagesTest, ThePolicyAllowsNothingInlineAndNobodyElse) {
  const auto response = answer(ask("/", kBrowser), kFiles);
  const std::string policy = header(*response, "Content-Security-Policy");
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(policy.find("http"), std::string::npos);
  EXPECT_EQ(header(*response, "X-Content-Type-Options"), "nosniff");
}

TEST(PagesTest, TheBinaryHasADocumentAndItsFiles) {
  if (BELFRY_HAS_CONSOLE == 0) GTEST_SKIP() << "built without the console";
  const auto page = answer(ask("/", {{"Accept", "text/html"}}));
  ASSERT_TRUE(page);
  const std::size_t at = page->body.find("/assets/");
  ASSERT_NE(at, std::string::npos) << page->body;
  const std::string script = page->body.substr(at, page->body.find('"', at) - at);
  const auto file = answer(ask(script));
  ASSERT_TRUE(file) << script;
  EXPECT_FALSE(file->body.empty());
}

}  // namespace
}  // namespace belfry::console
