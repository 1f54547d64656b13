#pragma once

#include "base/result.h"
#include "deliver/delivery.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace belfry::deliver {

enum class BeatAnswer : std::uint8_t { kExtended, kFenced, kCancel };

// Where runs come from and where their ends are reported: what any worker has, as functions. Each
// is thread-safe, waits for nothing and answers from another thread.
class RunSource {
 public:
  virtual ~RunSource() = default;

  using OnDeliveries = std::function<void(std::vector<Delivery>)>;
  // Answered once, perhaps with nothing: when something came, the wait is over or the node stops.
  // An error: ask again later.
  virtual Status ask(const std::string& queue, std::size_t most, Duration lease,
                     OnDeliveries on_deliveries) = 0;
  // Ends the last ask. True: its callback was not called and never will be.
  virtual bool cancel_ask() = 0;

  // False: could not be told; tell it again.
  virtual void report(const Grant& grant, Outcome outcome, std::function<void(bool)> on_told) = 0;

  using OnBeat = std::function<void(Result<std::vector<BeatAnswer>>)>;
  virtual void beat(std::vector<Grant> grants, Duration lease, OnBeat on_beat) = 0;

  virtual void give_back(std::vector<Grant> grants, Duration wait) = 0;
};

}  // namespace belfry::deliver
