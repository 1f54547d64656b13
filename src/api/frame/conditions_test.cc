#include "api/frame/conditions.h"

#include <gtest/gtest.h>

namespace belfry::api {
namespace {

using Verdict = Conditions::Verdict;

Verdict asked(const char* method, const net::Headers& headers,
              std::optional<std::uint32_t> version = 3) {
  return Conditions({.method = method, .headers = headers}).check(version);
}

TEST(ConditionsTest, WithoutAnyACallGoesOn) {
  EXPECT_EQ(asked("GET", {}), Verdict::kGoOn);
  EXPECT_EQ(asked("PUT", {}, std::nullopt), Verdict::kGoOn);
}

TEST(ConditionsTest, IfNoneMatchComparesWeakly) {
  for (const char* known :
       {"\"3\"", "W/\"3\"", "\"1\", W/\"3\"", "*", "\"x,y\" ,\"3\"", "\"3-br\""}) {
    EXPECT_EQ(asked("GET", {{"If-None-Match", known}}), Verdict::kNotModified) << known;
    EXPECT_EQ(asked("HEAD", {{"If-None-Match", known}}), Verdict::kNotModified) << known;
    EXPECT_EQ(asked("PATCH", {{"If-None-Match", known}}), Verdict::kFailed) << known;
  }
  for (const char* other : {"\"2\"", "W/\"2\"", "\"1\", \"2\"", "3", "", "\"3", "\"33\"", "\"-3\"",
                            "\"03\"", "\"3-br-gzip\""}) {
    EXPECT_EQ(asked("GET", {{"If-None-Match", other}}), Verdict::kGoOn) << other;
  }
  EXPECT_EQ(asked("PUT", {{"If-None-Match", "*"}}, std::nullopt), Verdict::kGoOn);
}

TEST(ConditionsTest, IfMatchComparesStrongly) {
  for (const char* known : {"\"3\"", "\"1\", \"3\"", "*", "W/\"3\", \"3\"", "\"3-gzip\""}) {
    EXPECT_EQ(asked("PATCH", {{"If-Match", known}}), Verdict::kGoOn) << known;
  }
  for (const char* other : {"\"2\"", "W/\"3\"", "three", "\"three\"", "3", ""}) {
    EXPECT_EQ(asked("PATCH", {{"If-Match", other}}), Verdict::kFailed) << other;
  }
  EXPECT_EQ(asked("PUT", {{"If-Match", "*"}}, std::nullopt), Verdict::kFailed);
}

TEST(ConditionsTest, IfMatchComesFirst) {
  EXPECT_EQ(asked("GET", {{"If-None-Match", "\"3\""}, {"If-Match", "\"2\""}}), Verdict::kFailed);
}

TEST(ConditionsTest, AListMayComeInSeveralFields) {
  net::Headers headers;
  headers.add("If-None-Match", "\"1\"");
  headers.add("if-none-match", "\"3\"");
  EXPECT_EQ(asked("GET", headers), Verdict::kNotModified);
}

}  // namespace
}  // namespace belfry::api
