#include "base/ids.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

namespace belfry {
namespace {

TEST(IdsTest, HexKeepsLeadingZerosOfBothHalves) {
  EXPECT_EQ(to_hex(RunId(Bits128{0x0123456789abcdefU, 0xfU})), "0123456789abcdef000000000000000f");
  EXPECT_EQ(to_hex(Incarnation()), "00000000000000000000000000000000");
}

TEST(IdsTest, HexSortsAsTheIdsDo) {
  const RunId small(Bits128{1, ~0ULL});
  const RunId large(Bits128{2, 0});
  EXPECT_LT(small, large);
  EXPECT_LT(to_hex(small), to_hex(large));
}

TEST(IdsTest, EqualHalvesDoNotAllHashAlike) {
  std::unordered_set<std::size_t> hashes;
  for (std::uint64_t i = 0; i < 100; ++i) {
    hashes.insert(std::hash<RunId>{}(RunId(Bits128{i, i})));
  }
  EXPECT_EQ(hashes.size(), 100U);
}

TEST(IdsTest, NamesOfTheSameShapeAreDifferentTypes) {
  static_assert(!std::is_same_v<Fence, Epoch>);
  static_assert(!std::is_convertible_v<Fence, Epoch>);
  static_assert(!std::is_constructible_v<RunId, Incarnation>);
  static_assert(sizeof(AttemptNo) == 4);
}

}  // namespace
}  // namespace belfry
