#pragma once

#include "base/result.h"

#include <gtest/gtest.h>

#include <optional>
#include <type_traits>
#include <utility>

namespace belfry::test {

// The value, or a failed test and an empty value.
template <typename T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << to_string(result.error());
    return T();
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// The code of a failure, which a success has not.
template <typename T>
std::optional<Errc> code_of(const Result<T>& result) {
  return result ? std::nullopt : std::optional(result.error().code);
}

}  // namespace belfry::test
