#pragma once

#include "base/result.h"

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace belfry::bench {

// The value. Ends the program when there is none: a measurement has nothing to go on with.
template <typename T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "failed: %s\n", to_string(result.error()).c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace belfry::bench
