#include "cli/files/yaml.h"

#include "base/text/visible.h"

#include <gtest/gtest.h>

namespace belfry::cli {
namespace {

Json parse_one(const std::string& text) {
  const auto documents = parse_yaml(text);
  EXPECT_TRUE(documents) << to_string(documents.error());
  if (!documents || documents->size() != 1) return "not one document";
  return documents->front();
}

TEST(YamlTest, WordsAreReadAsYaml12HasThem) {
  const Json value = parse_one(
      "a: 1\nb: -2.5\nc: true\nd: null\ne: ~\nf:\ng: on\nh: 12:30\ni: '1'\nj: 007\n"
      "k: 2026-03-08\nl: 1e3\nm: .inf\nn: 90s\n");
  EXPECT_EQ(value["a"], 1);
  EXPECT_EQ(value["b"], -2.5);
  EXPECT_EQ(value["c"], true);
  for (const char* name : {"d", "e", "f"}) EXPECT_TRUE(value[name].is_null()) << name;
  EXPECT_EQ(value["g"], "on");
  EXPECT_EQ(value["h"], "12:30");
  EXPECT_EQ(value["i"], "1");
  EXPECT_EQ(value["j"], "007");
  EXPECT_EQ(value["k"], "2026-03-08");
  EXPECT_EQ(value["l"], 1000.0);
  EXPECT_EQ(value["m"], ".inf");
  EXPECT_EQ(value["n"], "90s");
}

TEST(YamlTest, WhatIsWrittenIsReadBackTheSame) {
  const Json values[] = {
      Json::object(),
      Json::array(),
      {{"a", Json::array()}, {"b", Json::object()}, {"c", nullptr}},
      {{"text", "true"}, {"number", "12"}, {"null", "null"}, {"tilde", "~"}, {"empty", ""}},
      {{"cron", "*/5 * * * *"}, {"hash", "a # b"}, {"colon", "a: b"}, {"dash", "- a"}},
      {{"lines", "one\ntwo\n"}, {"tab", "a\tb"}, {"quote", "say \"hi\"\\"}, {"uml", "größe ✓"}},
      {{"list", {1, 2.5, true, "x", {{"deep", {{"er", Json::array({"y"})}}}}}}},
      {{"12", "a key that is a number"}, {"<<", "no merge"}, {"big", 9007199254740993}},
      {{"command", Json::array({"/bin/sh", "-c", "echo '%d' | sed \"s/a/b/\""})}},
  };
  for (const Json& value : values) {
    EXPECT_EQ(parse_one(to_yaml(value)), value) << to_yaml(value);
  }
}

TEST(YamlTest, WhatWouldDeceiveAReaderIsEscaped) {
  const Json deceiving{{"pay\u202elortap", "a\u2066b\u009b ü"}, {"plain", "ü"}};
  const std::string text = to_yaml(deceiving);
  EXPECT_EQ(visible(text, "\n"), text);
  EXPECT_NE(text.find("plain: ü"), std::string::npos) << text;
  EXPECT_EQ(parse_yaml(text).value().at(0), deceiving);
}

TEST(YamlTest, SeveralDocumentsAndMerges) {
  const auto documents =
      parse_yaml("---\na: 1\n---\n# nothing\n---\nb: &x {c: 1, d: 2}\ne: {<<: *x, d: 3}\n");
  ASSERT_TRUE(documents);
  ASSERT_EQ(documents->size(), 2U);
  EXPECT_EQ((*documents)[1]["e"]["c"], 1);
  EXPECT_EQ((*documents)[1]["e"]["d"], 3);
}

TEST(YamlTest, RefusesWhatIsNoText) {
  for (const std::string_view bad :
       {std::string_view("a\0b", 3), std::string_view("a: \xff"), std::string_view("a: \033"),
        std::string_view(","), std::string_view("a: 1\n---\n, b")}) {
    EXPECT_FALSE(parse_yaml(bad)) << bad;
  }
}

TEST(YamlTest, RefusesWithTheLine) {
  const auto twice = parse_yaml("a: 1\nb: 2\na: 3\n");
  ASSERT_FALSE(twice);
  EXPECT_EQ(to_string(twice.error()), "line 3: `a` is given twice");
  const auto broken = parse_yaml("a: 1\n  b: [2\n");
  ASSERT_FALSE(broken);
  EXPECT_NE(to_string(broken.error()).find("line"), std::string::npos);
  EXPECT_FALSE(parse_yaml("? [a, b]\n: 1\n"));
}

}  // namespace
}  // namespace belfry::cli
