#include "base/text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace belfry {
namespace {

using namespace std::string_view_literals;

TEST(Utf8Test, TakesCharactersOfAllLengths) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("\u00e4 \u65e5\u672c \U0001f514"));
  EXPECT_TRUE(is_utf8("\0"sv));
}

TEST(Utf8Test, RefusesWhatIsNotTheShortestOrNoCharacter) {
  for (const std::string_view bytes : {"\xff"sv, "\x80"sv, "\xc3"sv, "\xc0\xaf"sv, "\xe0\x80\x80"sv,
                                       "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv, "a\xe6\x97"sv}) {
    EXPECT_FALSE(is_utf8(bytes)) << bytes.size();
  }
}

}  // namespace
}  // namespace belfry
