#include "core/run_key.h"

#include "base/digest.h"

#include <cstddef>
#include <cstdint>

namespace belfry::core {

RunKey key_without_tick(std::string_view seed) {
  std::uint64_t bits = 0;
  const Sha256 hash = sha256(seed);
  for (std::size_t i = 0; i < 8; ++i) bits = bits << 8 | hash[i];
  // Read as a time, it must be one that a database can hold: 56 bits reach back to the year -313.
  return RunKey(-static_cast<std::int64_t>(bits >> 8) - 1);
}

}  // namespace belfry::core
