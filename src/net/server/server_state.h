#pragma once

#include "net/loop.h"
#include "net/server/server.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace belfry::net {

// What outlives a server, for handlers that answer late: the loop to post to (which by then ignores
// them) and the counts. Private to net.
struct ServerState {
  explicit ServerState(const ServerLimits& the_limits) : limits(the_limits) {}

  const ServerLimits limits;
  Loop loop;
  std::atomic<std::size_t> connections{0};
  std::atomic<std::size_t> parked{0};
  std::atomic<std::uint64_t> requests{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> dropped_streams{0};

  // One of the places for parked requests and streams; false when all are taken.
  bool take_place() {
    if (parked.fetch_add(1) < limits.parked) return true;
    parked.fetch_sub(1);
    return false;
  }
  void free_place() { parked.fetch_sub(1); }
};

}  // namespace belfry::net
