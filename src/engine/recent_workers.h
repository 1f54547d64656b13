#pragma once

#include "base/mutex.h"
#include "base/time.h"

#include <cstddef>
#include <string>
#include <unordered_map>

namespace belfry::engine {

// How many workers there are: those that have asked for runs lately. Thread-safe.
class RecentWorkers {
 public:
  void saw(const std::string& worker, BootInstant now) {
    const MutexLock lock(mutex_);
    if (seen_.size() >= kMost) forget(now);
    if (seen_.size() < kMost) seen_[worker] = now;
  }

  std::size_t count(BootInstant now) {
    const MutexLock lock(mutex_);
    forget(now);
    return seen_.size();
  }

 private:
  static constexpr Duration kLately = std::chrono::minutes(2);
  static constexpr std::size_t kMost = 100'000;  // beyond that, nobody new is counted

  void forget(BootInstant now) BELFRY_REQUIRES(mutex_) {
    std::erase_if(seen_, [&](const auto& entry) { return entry.second + kLately <= now; });
  }

  Mutex mutex_;
  std::unordered_map<std::string, BootInstant> seen_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::engine
