#pragma once

#include "base/assert.h"
#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

// Called by libFuzzer with every input it tries.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer sets the name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace belfry::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Every refusal of a parser says what is wrong and points into the input.
inline void check_refusal(std::string_view input, const Error& error) {
  BELFRY_ASSERT(error.code == Errc::kInvalid);
  BELFRY_ASSERT(!error.message.empty());
  BELFRY_ASSERT(error.span.has_value());
  BELFRY_ASSERT(error.span->begin <= input.size());
  BELFRY_ASSERT(error.span->length <= input.size() - error.span->begin);
  BELFRY_ASSERT(!point_at(input, error).empty());
}

}  // namespace belfry::fuzz
