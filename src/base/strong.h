#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace belfry {

// A number (or other small value) with a meaning: a JobId is not a Fence although both are 64 bits.
// No implicit conversion in either direction and no arithmetic; take value() where a number
// is meant.
template <typename Tag, typename Rep>
class Strong {
 public:
  using rep = Rep;

  constexpr Strong() = default;
  constexpr explicit Strong(Rep value) : value_(value) {}

  constexpr const Rep& value() const { return value_; }

  friend constexpr auto operator<=>(const Strong&, const Strong&) = default;

 private:
  Rep value_{};
};

}  // namespace belfry

template <typename Tag, typename Rep>
struct std::hash<belfry::Strong<Tag, Rep>> {
  std::size_t operator()(const belfry::Strong<Tag, Rep>& strong) const noexcept {
    return std::hash<Rep>{}(strong.value());
  }
};
