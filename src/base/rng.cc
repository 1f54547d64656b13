#include "base/rng.h"

#include "base/assert.h"

#include <sys/random.h>

#include <bit>
#include <cerrno>
#include <cstring>

namespace belfry {
namespace {

// splitmix64: a counter with a strong finaliser. Any seed, also 0, gives a well-mixed state.
std::uint64_t split_mix(std::uint64_t& counter) {
  counter += 0x9e3779b97f4a7c15U;
  std::uint64_t z = counter;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = split_mix(seed);
}

Result<Rng> Rng::from_system_entropy() {
  State state{};
  // So few bytes come whole or not at all; a signal can only interrupt the wait early in boot.
  ssize_t got = 0;
  do {
    got = getrandom(state.data(), sizeof(state), 0);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof(state))) {
    return fail(Errc::kInternal,
                std::string("the kernel gives no random bytes: ") + std::strerror(errno));
  }
  return Rng(state);
}

std::uint64_t Rng::next_u64() {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = std::rotl(s[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t n) {
  BELFRY_ASSERT(n > 0);
  // 2^64 mod n: drawing again below it leaves a whole number of stretches of length n.
  const std::uint64_t unfair = (0 - n) % n;
  std::uint64_t drawn = next_u64();
  while (drawn < unfair) drawn = next_u64();
  return drawn % n;
}

Duration Rng::up_to(Duration longest) {
  BELFRY_ASSERT(longest >= Duration::zero());
  const auto micros = below(static_cast<std::uint64_t>(longest.count()) + 1);
  return Duration(static_cast<Duration::rep>(micros));
}

bool Rng::chance(double p) {
  // The upper 53 bits: every double in [0, 1) that is a multiple of 2^-53, equally likely.
  return static_cast<double>(next_u64() >> 11) * 0x1p-53 < p;
}

void Rng::fill(std::span<std::byte> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 8 == 0) word = next_u64();
    bytes[i] = static_cast<std::byte>(word & 0xffU);  // low byte first on every machine
    word >>= 8;
  }
}

}  // namespace belfry
