#include "base/log/log_escape.h"

#include "base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace belfry {
namespace {

std::string text(std::string_view value) {
  std::string out;
  append_text_value(out, value);
  return out;
}

std::string json(std::string_view value) {
  std::string out;
  append_json_string(out, value);
  return out;
}

// Undoes append_text_value.
std::string unescaped(std::string_view written) {
  if (!written.starts_with('"')) return std::string(written);
  std::string value;
  for (std::size_t i = 1; i + 1 < written.size(); ++i) {
    if (written[i] != '\\') {
      value += written[i];
      continue;
    }
    switch (written[++i]) {
      case 'n': value += '\n'; break;
      case 'r': value += '\r'; break;
      case 't': value += '\t'; break;
      case 'x':
        value += static_cast<char>(std::stoi(std::string(written.substr(i + 1, 2)), nullptr, 16));
        i += 2;
        break;
      default: value += written[i];
    }
  }
  return value;
}

TEST(LogEscapeTest, PlainWordsStayBareInText) {
  EXPECT_EQ(text("node-1.example:7070/a,b"), "node-1.example:7070/a,b");
}

TEST(LogEscapeTest, WhatCouldPassForSomethingElseIsQuoted) {
  EXPECT_EQ(text(""), R"("")");
  EXPECT_EQ(text("two words"), R"("two words")");
  EXPECT_EQ(text("a=b"), R"("a=b")");
  EXPECT_EQ(text(R"(say "hi" \o/)"), R"("say \"hi\" \\o/")");
}

TEST(LogEscapeTest, ControlBytesAreSpelledOut) {
  EXPECT_EQ(text("a\r\nb\tc"), R"("a\r\nb\tc")");
  EXPECT_EQ(text(std::string_view("\0\x1b[2J\x7f", 6)), R"("\x00\x1b[2J\x7f")");
  EXPECT_EQ(json("a\r\nb\tc\"\\"), R"("a\r\nb\tc\"\\")");
  EXPECT_EQ(json(std::string_view("\0\x1b[2J\x7f", 6)), R"("\u0000\u001b[2J\u007f")");
}

TEST(LogEscapeTest, LettersOfOtherScriptsStayReadable) {
  EXPECT_EQ(text("caf\u00e9 \u65e5\u672c \U0001f514"), "\"caf\u00e9 \u65e5\u672c \U0001f514\"");
  EXPECT_EQ(json("\u00e9\U0001f514"), "\"\u00e9\U0001f514\"");
}

TEST(LogEscapeTest, UnicodeThatBreaksOrReordersALineIsSpelledOut) {
  EXPECT_EQ(text("\u0085"), R"("\xc2\x85")");
  EXPECT_EQ(text("\u2028\u202e"), R"("\xe2\x80\xa8\xe2\x80\xae")");
  EXPECT_EQ(json("\u0085\u2029\u2066"), R"("\u0085\u2029\u2066")");
}

TEST(LogEscapeTest, BytesThatAreNotUtf8DoNotGetThrough) {
  EXPECT_EQ(text("\xff"), R"("\xff")");
  EXPECT_EQ(text("\xc0\x8a"), R"("\xc0\x8a")");                  // overlong newline
  EXPECT_EQ(text("\xe0\x80\x8a"), R"("\xe0\x80\x8a")");          // and longer
  EXPECT_EQ(text("\xed\xa0\x80"), R"("\xed\xa0\x80")");          // half a surrogate pair
  EXPECT_EQ(text("\xf4\x90\x80\x80"), R"("\xf4\x90\x80\x80")");  // above U+10FFFF
  EXPECT_EQ(text("\xe2\x82"), R"("\xe2\x82")");                  // cut off
  EXPECT_EQ(text("\xe2\x82\""), R"("\xe2\x82\"")");              // must not swallow the quote
  EXPECT_EQ(json("a\xff\xe2\x82"), R"("a\ufffd\ufffd\ufffd")");
}

TEST(LogEscapeTest, AnyBytesComeBackAndNoneIsAControl) {
  Rng rng(9);
  for (int i = 0; i < 3'000; ++i) {
    std::array<std::byte, 24> bytes{};
    rng.fill(bytes);
    const std::string_view value(reinterpret_cast<const char*>(bytes.data()), rng.below(25));
    const std::string written = text(value);
    ASSERT_EQ(unescaped(written), value);
    ASSERT_TRUE(std::none_of(written.begin(), written.end(),
                             [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
  }
}

}  // namespace
}  // namespace belfry
