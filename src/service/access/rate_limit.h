#pragma once

#include "base/clock.h"
#include "base/mutex.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace belfry::service {

// How often somebody may call: a bucket that holds a second's worth and fills evenly. Each node
// counts for itself. Thread-safe.
class RateLimiter {
 public:
  explicit RateLimiter(const Clock& clock) : clock_(clock) {}

  struct Verdict {
    bool allowed = true;
    std::uint32_t remaining = 0;
    Duration wait{};   // until the next call would be allowed
    Duration reset{};  // until all of them are, if nobody calls
  };
  // One call of `who`, at `per_second` calls a second; 0: no limit.
  Verdict take(const std::string& who, std::uint32_t per_second);

 private:
  struct Bucket {
    double tokens = 0;
    BootInstant filled;
  };

  const Clock& clock_;
  Mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
