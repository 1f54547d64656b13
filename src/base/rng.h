#pragma once

#include "base/result.h"
#include "base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace belfry {

// All the chance in Belfry: ids, jitter, backoff, simulated faults. The same seed gives the same
// sequence on every machine and for ever, so a simulation can be replayed from its seed alone; that
// is why no engine or distribution of <random> is used, whose results differ between libraries.
//
// xoshiro256++ (Blackman and Vigna), its state filled from the seed by splitmix64. Good for ids
// that must not collide, not for secrets. Not thread-safe: one per thread.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  // A state nobody can guess or repeat: all 256 bits from the kernel, since a 64-bit seed would let
  // two of some billion processes draw the same ids.
  static Result<Rng> from_system_entropy();

  // A copy would repeat what the original draws.
  Rng(const Rng&) = delete;
  Rng& operator=(const Rng&) = delete;
  Rng(Rng&&) = default;
  Rng& operator=(Rng&&) = default;

  std::uint64_t next_u64();

  // Uniform in [0, n), without the bias of a plain remainder. n > 0.
  std::uint64_t below(std::uint64_t n);

  // Uniform in [0, longest], both ends included. longest >= 0.
  Duration up_to(Duration longest);

  // True with probability p: never at 0 (or less), always at 1 (or more).
  bool chance(double p);

  void fill(std::span<std::byte> bytes);

 private:
  using State = std::array<std::uint64_t, 4>;

  explicit Rng(const State& state) : state_(state) {}

  State state_;
};

}  // namespace belfry
