#include "worker/capped_text.h"

#include <gtest/gtest.h>

namespace belfry::worker {
namespace {

TEST(CappedTextTest, KeepsTheBeginningAndTheEnd) {
  CappedText text(20);
  for (int i = 0; i < 1'000; ++i) text.add("0123456789abcdef");
  EXPECT_EQ(text.bytes(), 16'000U);
  EXPECT_EQ(text.text(), "0123456789\n[15980 bytes left out]\n6789abcdef");
}

TEST(CappedTextTest, WhatFitsIsKeptWhole) {
  CappedText text(20);
  text.add("0123456789");
  text.add("0123456789");
  EXPECT_EQ(text.text(), "01234567890123456789");
}

TEST(CappedTextTest, OneLargePieceIsAsGoodAsManySmallOnes) {
  CappedText text(8);
  text.add(std::string(1'000'000, 'a') + "zzzz");
  EXPECT_EQ(text.text(), "aaaa\n[999996 bytes left out]\nzzzz");
}

TEST(CappedTextTest, IsAlwaysText) {
  EXPECT_EQ(as_text(std::string_view("a\0b\xff\xc3\xa4\xc3", 7)), "a?b?\xc3\xa4?");
}

}  // namespace
}  // namespace belfry::worker
