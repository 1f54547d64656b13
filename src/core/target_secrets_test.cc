#include "core/target_secrets.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

using Places = std::map<std::string, std::string>;

Places places(const std::string& target) {
  return secrets_in(parse_json(target).value());
}

TEST(TargetSecretsTest, EveryHeaderIsASecretUnlessItIsKnownToBeNone) {
  EXPECT_EQ(places(R"({"headers": {"Cookie": "a", "X-Env": "b", "Content-Type": "c"}})"),
            (Places{{"headers/Cookie", "a"}, {"headers/X-Env", "b"}}));
  EXPECT_EQ(places(R"({"secret": "a"})"), (Places{{"secret", "a"}}));
  EXPECT_EQ(places(R"({"kind": "EXEC", "command": ["a"], "headers": [1]})"), Places());
  EXPECT_EQ(places("[]"), Places());
}

TEST(TargetSecretsTest, ThePathThatSlackKnowsCallersByIsOne) {
  const std::string slack =
      R"({"kind":"HTTP","form":"slack","url":"https://x:1/services/T/B?a=b"})";
  EXPECT_EQ(places(slack), (Places{{"url/", "services/T/B"}}));
  EXPECT_EQ(shown_target(slack)["url"], "https://x:1/********?a=b");
  EXPECT_EQ(places(R"({"kind":"HTTP","form":"slack","url":"https://x"})"), Places());
  EXPECT_EQ(places(R"({"kind":"HTTP","url":"https://x/services/T/B"})"), Places());
}

TEST(TargetSecretsTest, NamesInAQueryTellCredentials) {
  EXPECT_EQ(
      places(R"({"url": "http://x/y?page=2&API_KEY=a&sig=b%20c&token&pass=&access_token=d"})"),
      (Places{{"url?API_KEY", "a"}, {"url?sig", "b%20c"}, {"url?access_token", "d"}}));
  EXPECT_EQ(shown_url("http://x/?a=b&token=c&d"), "http://x/?a=b&token=********&d");
  for (const char* plain : {"http://x/token", "http://x/?", "http://x/?a=1&", "", "?=&&="}) {
    EXPECT_EQ(shown_url(plain), plain);
  }
}

TEST(TargetSecretsTest, ReferencesAreNoSecretsUntilTheyAreResolved) {
  const std::string text =
      R"({"kind":"HTTP","headers":{"X":{"secret_ref":"b"},"Y":"y"},"secret_ref":"a"})";
  EXPECT_EQ(secret_refs_in(parse_json(text).value()), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(places(text), (Places{{"headers/Y", "y"}}));
  Json target = parse_json(text).value();
  resolve_secret_refs(target, [](const std::string& name) { return name + "!"; });
  EXPECT_EQ(write_json(target), R"({"kind":"HTTP","headers":{"X":"b!","Y":"y"},"secret":"a!"})");
}

TEST(TargetSecretsTest, WhatCannotBeReadIsNotShown) {
  EXPECT_EQ(shown_target("whsec_canary"), Json::object());
  EXPECT_EQ(write_json(shown_target(R"({"kind":"WORKER"})")), R"({"kind":"WORKER"})");
}

}  // namespace
}  // namespace belfry::core
