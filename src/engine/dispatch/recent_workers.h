#pragma once

#include "base/ids.h"
#include "base/mutex.h"
#include "base/time.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace belfry::engine {

// Who has asked for runs lately: how many workers, and for which queues. Thread-safe.
class RecentWorkers {
 public:
  // Of a tenant's queue, by workers of a region; without a tenant: of everybody's.
  struct Line {
    std::string queue;
    std::optional<TenantId> tenant;
    RegionNo region = {};
    friend auto operator<=>(const Line&, const Line&) = default;
  };

  void saw(const std::string& worker, const std::vector<std::string>& queues,
           std::optional<TenantId> tenant, RegionNo region, BootInstant now) {
    const MutexLock lock(mutex_);
    if (seen_.size() >= kMost) forget(now);
    if (seen_.size() < kMost) seen_[worker] = now;
    if (lines_.size() >= kMost) forget(now);
    for (const std::string& queue : queues) {
      if (lines_.size() < kMost) lines_[{queue, tenant, region}] = now;
    }
  }

  // The queues they asked for.
  std::set<Line> lines(BootInstant now) {
    const MutexLock lock(mutex_);
    forget(now);
    std::set<Line> lines;
    for (const auto& entry : lines_) lines.insert(entry.first);
    return lines;
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
    const auto is_over = [&](const auto& entry) { return entry.second + kLately <= now; };
    std::erase_if(seen_, is_over);
    std::erase_if(lines_, is_over);
  }

  Mutex mutex_;
  std::unordered_map<std::string, BootInstant> seen_ BELFRY_GUARDED_BY(mutex_);
  std::map<Line, BootInstant> lines_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::engine
