#include "base/verbatim.h"

#include <gtest/gtest.h>

namespace belfry {
namespace {

constexpr const char* kOdd = R"({ "b" : 1.00, "a":[1e2 , "\u00e9\/", 12345678901234567890123] })";

Json kept(std::string_view place, const std::string& text) {
  return parse_json_keeping(place, text).value();
}

TEST(VerbatimTest, WritesWhatWasWritten) {
  const std::string text =
      std::string(R"({"job_name":"x", "payload" :  )") + kOdd + " ,\"n\":1.50}";
  const Json value = kept("/payload", text);
  ASSERT_TRUE(is_verbatim(value["payload"]));
  EXPECT_EQ(write_json(value["payload"]), kOdd);
  EXPECT_EQ(write_json(value), std::string(R"({"job_name":"x","payload":)") + kOdd + ",\"n\":1.5}");
  EXPECT_EQ(value["n"], 1.5);
}

TEST(VerbatimTest, KeepsEachOfAList) {
  const Json value = kept("/jobs/*/payload", R"({"atomic":true,"jobs":[
    {"payload":1.0,"labels":{"payload":"x"}}, {}, [], "payload", {"a":[{"payload":2.0}],"payload":"\u0041"}],"x":[]})");
  EXPECT_EQ(write_json(value["jobs"][0]["payload"]), "1.0");
  EXPECT_EQ(value["jobs"][0]["labels"]["payload"], "x");
  EXPECT_EQ(value["jobs"][4]["a"][0]["payload"], 2.0);
  EXPECT_EQ(write_json(value["jobs"][4]["payload"]), R"("\u0041")");
}

TEST(VerbatimTest, KeepsScalarsUpToTheirEnd) {
  for (const char* text : {"-0.0", "true", "\"a\\\"}b\"", "[]", "{}", "[[1 ],{\"a\":\"]\"}]"}) {
    const Json value = kept("/p", std::string("{\"a\":{},\"p\":") + text + "}");
    EXPECT_EQ(write_json(value["p"]), text);
    EXPECT_EQ(plain(value["p"]), Json::parse(text));
  }
}

TEST(VerbatimTest, NullIsNull) {
  EXPECT_TRUE(kept("/payload", R"({"payload": null})")["payload"].is_null());
}

TEST(VerbatimTest, WhatIsNotThereIsNoMatter) {
  for (const char* text :
       {"{}", "[]", "7", "\"payload\"", R"({"a":{"payload":1}})", "\xef\xbb\xbf{}"}) {
    EXPECT_EQ(write_json(kept("/payload", text)), write_json(parse_json(text).value()));
  }
  EXPECT_FALSE(parse_json_keeping("/payload", "{\"payload\":}"));
}

}  // namespace
}  // namespace belfry
