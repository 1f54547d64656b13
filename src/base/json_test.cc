#include "base/json.h"

#include <gtest/gtest.h>

namespace belfry {
namespace {

std::string refused(std::string_view text) {
  const auto parsed = parse_json(text);
  return parsed ? "accepted: " + write_json(*parsed) : to_string(parsed.error());
}

TEST(JsonTest, KeepsTheOrderOfFields) {
  const auto parsed = parse_json(R"({"z": 1, "a": [true, null, "x"], "m": {"k": 1.5}})");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(write_json(*parsed), R"({"z":1,"a":[true,null,"x"],"m":{"k":1.5}})");
}

TEST(JsonTest, RefusesWhatIsNoJson) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":1,}", "nul", "'a'", "{a:1}", "1 2",
                           "\"\x01\"", "\"\xff\"", "[1}", "\xef\xbb\xbf["}) {
    EXPECT_NE(refused(text).find("this is not JSON"), std::string::npos) << text;
  }
}

TEST(JsonTest, RefusesANameGivenTwice) {
  EXPECT_EQ(refused(R"({"a": {"b": 1, "b": 2}})"), "/a/b: the name `b` is given twice");
  EXPECT_EQ(refused(R"([{}, {"x/y": 1, "x/y": 1}])"), "/1/x~1y: the name `x/y` is given twice");
  EXPECT_TRUE(parse_json(R"([{"a": 1}, {"a": 1}])"));
}

TEST(JsonTest, RefusesObjectsOfTooManyNames) {
  std::string many = R"([{"a": 1, "b": {"c": 2}}, {"n0": 0)";
  for (int i = 1; i < 10'000; ++i) many += ",\"n" + std::to_string(i) + "\":" + std::to_string(i);
  const auto fine = parse_json(many + "}]");
  ASSERT_TRUE(fine);
  EXPECT_EQ(fine->at(1).at("n9999"), 9'999);
  EXPECT_EQ(refused(many + R"(,"x":1}])"), "/1: an object has more than 10,000 names");
}

TEST(JsonTest, RefusesHugeNumbersAndDepth) {
  EXPECT_EQ(refused(R"({"a": 1e999})"), "a number is too large");
  EXPECT_TRUE(parse_json("18446744073709551615"));
  const std::string deep(65, '[');
  EXPECT_NE(refused(deep).find("nested more than 64 deep"), std::string::npos);
  EXPECT_TRUE(parse_json(std::string(64, '[') + std::string(64, ']')));
}

TEST(JsonTest, RefusesTooManyValues) {
  const JsonLimits three{.values = 3};
  EXPECT_TRUE(parse_json("[[],{}]", three));
  EXPECT_TRUE(parse_json(R"({"a": 1, "b": "x"})", three));
  for (const char* text : {"[[],[],[]]", "[1,2,3]", R"({"a": {"b": [0]}})"}) {
    const auto parsed = parse_json(text, three);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().message, "there are more than 3 values");
  }
}

TEST(JsonTest, WritesWhatIsNotUtf8WithReplacements) {
  EXPECT_EQ(write_json(Json("a\xff")), "\"a\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace belfry
