#pragma once

#include "base/ids.h"
#include "base/mutex.h"
#include "base/time.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace belfry::engine {

// Who has asked for runs lately: which workers, and for which queues. Thread-safe.
class RecentWorkers {
 public:
  // As it asked the last time.
  struct Worker {
    std::string name;
    std::optional<TenantId> tenant;  // whose runs it takes; none: everybody's
    RegionNo region = {};
    std::vector<std::string> queues;
    std::size_t room = 0;  // how many runs it wanted
    BootInstant asked_at;
  };
  // Of a tenant's queue, by workers of a region; without a tenant: of everybody's.
  struct Line {
    std::string queue;
    std::optional<TenantId> tenant;
    RegionNo region = {};
    friend auto operator<=>(const Line&, const Line&) = default;
  };

  void saw(Worker worker) {
    const MutexLock lock(mutex_);
    const BootInstant now = worker.asked_at;
    if (seen_.size() >= kMostWorkers || lines_.size() >= kMost) forget(now);
    for (const std::string& queue : worker.queues) {
      if (lines_.size() < kMost) lines_[{queue, worker.tenant, worker.region}] = now;
    }
    if (seen_.size() >= kMostWorkers) return;
    // A name is cheap to invent, and long lists of queues are not cheap to keep.
    if (worker.queues.size() > kMostQueues) worker.queues.resize(kMostQueues);
    seen_[{worker.tenant, worker.name}] = std::move(worker);
  }

  // Those who take a tenant's runs, everybody's workers first; at most so many.
  std::vector<Worker> of(TenantId tenant, std::size_t most, BootInstant now) {
    const MutexLock lock(mutex_);
    forget(now);
    std::vector<Worker> workers;
    for (const auto& [key, worker] : seen_) {
      if (workers.size() == most) break;
      if (!worker.tenant || *worker.tenant == tenant) workers.push_back(worker);
    }
    return workers;
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
  // Beyond that, nobody new is counted.
  static constexpr std::size_t kMost = 100'000;
  static constexpr std::size_t kMostWorkers = 20'000;
  static constexpr std::size_t kMostQueues = 10;  // kept of a worker

  void forget(BootInstant now) BELFRY_REQUIRES(mutex_) {
    std::erase_if(seen_, [&](const auto& entry) { return entry.second.asked_at + kLately <= now; });
    std::erase_if(lines_, [&](const auto& entry) { return entry.second + kLately <= now; });
  }

  Mutex mutex_;
  std::map<std::pair<std::optional<TenantId>, std::string>, Worker> seen_ BELFRY_GUARDED_BY(mutex_);
  std::map<Line, BootInstant> lines_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::engine
