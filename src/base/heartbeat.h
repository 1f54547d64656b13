#pragma once

#include <cstdint>

namespace belfry {

// How a worker's heartbeat for one run is answered, on whatever way it came.
enum class HeartbeatAnswer : std::uint8_t {
  kExtended,  // the lease goes on
  kFenced,    // somebody else holds the run, or it is over: stop, and say nothing more of it
  kCancel,    // the lease goes on, so that the work can stop in an orderly way, and it has to
};

}  // namespace belfry
