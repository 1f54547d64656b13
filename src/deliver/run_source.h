#pragma once

#include "base/heartbeat.h"
#include "base/result.h"
#include "deliver/delivery.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace belfry::deliver {

// How long a claim of a courier waits for work.
inline constexpr Duration kLongPoll = std::chrono::seconds(20);

// Where runs come from and where their ends are reported: what any worker has, as functions. Each
// is thread-safe, never blocks, and answers from another thread.
class RunSource {
 public:
  virtual ~RunSource() = default;

  using OnDeliveries = std::function<void(std::vector<Delivery>)>;
  // Answered once, perhaps with nothing: when runs came, the wait is over or the node stops. On an
  // error, claim again later.
  virtual Status claim(const std::string& queue, std::size_t most, Duration lease,
                       OnDeliveries on_deliveries) = 0;
  // Ends the last claim. True: its callback was not called and never will be.
  virtual bool withdraw() = 0;

  // False: the report did not arrive; send it again.
  virtual void complete(const RunGrant& grant, Outcome outcome,
                        std::function<void(bool)> on_told) = 0;

  using OnHeartbeat = std::function<void(Result<std::vector<HeartbeatAnswer>>)>;
  virtual void heartbeat(std::vector<RunGrant> grants, Duration lease,
                         OnHeartbeat on_heartbeat) = 0;

  virtual void give_back(std::vector<RunGrant> grants, Duration wait) = 0;
};

}  // namespace belfry::deliver
