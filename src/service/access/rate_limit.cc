#include "service/access/rate_limit.h"

#include <algorithm>
#include <chrono>

namespace belfry::service {
namespace {

constexpr std::size_t kMostBuckets = 10'000;
constexpr double kMicros = 1e6;

}  // namespace

RateLimiter::Verdict RateLimiter::take(const std::string& who, std::uint32_t per_second) {
  if (per_second == 0) return {};
  const BootInstant now = clock_.boot_now();
  const MutexLock lock(mutex_);
  if (buckets_.size() > kMostBuckets) buckets_.clear();  // everybody starts anew: harmless
  const auto [found, is_new] = buckets_.try_emplace(who);
  Bucket& bucket = found->second;
  const double most = per_second;
  if (is_new) bucket = {.tokens = most, .filled = now};
  const double gained = static_cast<double>((now - bucket.filled).count()) / kMicros * most;
  bucket.tokens = std::min(most, bucket.tokens + gained);
  bucket.filled = now;
  const auto until = [&](double tokens) {
    const auto micros = static_cast<std::int64_t>((tokens - bucket.tokens) / most * kMicros);
    return std::chrono::microseconds(micros + 1);
  };
  if (bucket.tokens < 1) return {.allowed = false, .wait = until(1), .reset = until(most)};
  bucket.tokens -= 1;
  return {.remaining = static_cast<std::uint32_t>(bucket.tokens), .reset = until(most)};
}

}  // namespace belfry::service
