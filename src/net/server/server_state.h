#pragma once

#include "base/fair_share.h"
#include "base/mutex.h"
#include "net/loop.h"
#include "net/server/server.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace belfry::net {

// What outlives a server, for handlers that answer late: the loop to post to (which by then ignores
// them) and the counts. Private to net.
struct ServerState {
  explicit ServerState(const ServerLimits& the_limits) : limits(the_limits) {}

  const ServerLimits limits;
  Loop loop;
  std::atomic<std::size_t> connections{0};
  std::atomic<std::uint64_t> requests{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> dropped_streams{0};

  // One of the places for parked requests and streams; false when the payer has its share of them.
  bool take_place(const std::string& payer) {
    const MutexLock lock(mutex_);
    return parked_.take(payer);
  }
  void free_place(const std::string& payer) {
    const MutexLock lock(mutex_);
    parked_.give_back(payer);
  }
  std::size_t parked() {
    const MutexLock lock(mutex_);
    return parked_.used();
  }

 private:
  Mutex mutex_;
  FairShare parked_ BELFRY_GUARDED_BY(mutex_){limits.parked};
};

}  // namespace belfry::net
