#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace belfry {

// 128 bits: enough for names that are drawn at random and must never collide.
struct Bits128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend constexpr auto operator<=>(const Bits128&, const Bits128&) = default;
};

// 32 lower-case hex digits, leading zeros kept: the text sorts as the numbers do.
inline std::string to_hex(const Bits128& bits) {
  std::string text(32, '0');
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint64_t half = i < 16 ? bits.high : bits.low;
    text[i] = "0123456789abcdef"[(half >> (60 - 4 * (i % 16))) & 0xfU];
  }
  return text;
}

}  // namespace belfry

template <>
struct std::hash<belfry::Bits128> {
  std::size_t operator()(const belfry::Bits128& bits) const noexcept {
    // The multiplier keeps the halves from cancelling out when they are equal.
    return static_cast<std::size_t>(bits.high * 0x9e3779b97f4a7c15U ^ bits.low);
  }
};
