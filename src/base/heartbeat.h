#pragma once

#include <cstdint>

namespace belfry {

// The answer to a worker's heartbeat for one run, by whichever way it came.
enum class HeartbeatAnswer : std::uint8_t {
  kExtended,  // the lease goes on
  kFenced,    // somebody else holds the run, or it is over: stop, and report nothing more
  kCancel,    // the work must stop; the lease goes on, so that it can do so in an orderly way
};

}  // namespace belfry
