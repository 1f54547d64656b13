#include "api/frame/conditions.h"

#include <gtest/gtest.h>

namespace belfry::api {
namespace {

const std::string kTag = etag_of(3, "body");  // "3-230d8358dc8e8890"

Conditions conditions(const char* method, const net::Headers& headers) {
  return Conditions({.method = method, .headers = headers});
}
bool allowed(const char* method, const net::Headers& headers,
             std::optional<std::uint32_t> version = 3) {
  return conditions(method, headers).hold_for(version);
}
bool known(const char* method, const std::string& tags) {
  return conditions(method, {{"If-None-Match", tags}}).know(kTag);
}

TEST(ConditionsTest, WithoutAnyACallGoesOn) {
  EXPECT_TRUE(allowed("GET", {}));
  EXPECT_TRUE(allowed("PUT", {}, std::nullopt));
  EXPECT_FALSE(conditions("GET", {}).know(kTag));
}

TEST(ConditionsTest, ATagSaysTheVersionAndTheRestOfTheAnswer) {
  EXPECT_EQ(kTag.size(), sizeof "'3-0123456789abcdef'" - 1);
  EXPECT_TRUE(kTag.starts_with("\"3-"));
  EXPECT_NE(etag_of(3, "body"), etag_of(3, "another"));
}

TEST(ConditionsTest, IfNoneMatchComparesWeakly) {
  const std::string compressed = kTag.substr(0, kTag.size() - 1) + "-br\"";
  for (const std::string& tags :
       {kTag, "W/" + kTag, "\"1\", W/" + kTag, std::string("*"), "\"x,y\" ," + kTag, compressed}) {
    EXPECT_TRUE(known("GET", tags)) << tags;
    EXPECT_TRUE(known("HEAD", tags)) << tags;
    EXPECT_TRUE(allowed("GET", {{"If-None-Match", tags}})) << tags;
    EXPECT_FALSE(allowed("PATCH", {{"If-None-Match", tags}})) << tags;
    EXPECT_FALSE(known("PATCH", tags)) << tags;
  }
  EXPECT_TRUE(allowed("PUT", {{"If-None-Match", "*"}}, std::nullopt));
}

TEST(ConditionsTest, AnotherAnswerOfTheSameVersionIsNotKnown) {
  for (const std::string& other : {etag_of(3, "another"), std::string("\"3\"")}) {
    EXPECT_FALSE(known("GET", other)) << other;
    EXPECT_FALSE(allowed("PATCH", {{"If-None-Match", other}})) << "it is at this version";
  }
}

TEST(ConditionsTest, OnlyTagsOfOursMatch) {
  for (const char* other : {"\"2\"", "W/\"2\"", "\"1\", \"2\"", "3", "", "\"3", "\"33\"", "\"-3\"",
                            "\"03\"", "\"3-br-gzip\"", "\"3-\"", "\"3-0123\""}) {
    EXPECT_FALSE(known("GET", other)) << other;
    EXPECT_TRUE(allowed("PATCH", {{"If-None-Match", other}})) << other;
  }
}

TEST(ConditionsTest, IfMatchComparesVersionsStrongly) {
  for (const std::string& tags :
       {kTag, etag_of(3, "another"), std::string("\"3\""), "\"1\", " + kTag, std::string("*"),
        "W/\"3\", " + kTag, std::string("\"3-gzip\"")}) {
    EXPECT_TRUE(allowed("PATCH", {{"If-Match", tags}})) << tags;
  }
  for (const std::string& other :
       {etag_of(2, "body"), "W/" + kTag, std::string("\"2\""), std::string("three"),
        std::string("\"three\""), std::string("3"), std::string()}) {
    EXPECT_FALSE(allowed("PATCH", {{"If-Match", other}})) << other;
  }
  EXPECT_FALSE(allowed("PUT", {{"If-Match", "*"}}, std::nullopt));
}

TEST(ConditionsTest, IfMatchCountsForReadingToo) {
  EXPECT_FALSE(allowed("GET", {{"If-None-Match", kTag}, {"If-Match", "\"2\""}}));
}

TEST(ConditionsTest, AListMayComeInSeveralFields) {
  net::Headers headers;
  headers.add("If-None-Match", "\"1\"");
  headers.add("if-none-match", kTag);
  EXPECT_TRUE(conditions("GET", headers).know(kTag));
}

}  // namespace
}  // namespace belfry::api
