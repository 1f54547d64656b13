#pragma once

#include <span>
#include <string>
#include <string_view>

namespace belfry::core {

// The candidate a person most likely meant by `word` (letters swapped, missing, doubled or wrong,
// any case); empty when none is close enough to be worth proposing.
std::string closest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace belfry::core
