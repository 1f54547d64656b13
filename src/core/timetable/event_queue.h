#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace belfry::core {

// Things that happen to a single job at a single instant. At one instant they happen in this order,
// and after the ticks of the groups, because a job's ticks lie in (after, until].
enum class EventKind : std::uint8_t {
  kOnce,   // its one tick
  kJoin,   // its schedule begins to apply
  kLeave,  // its schedule ceases to apply
};

struct Event {
  Instant at;
  EventKind kind;
  std::uint32_t member;
};

// A queue of events: a heap for each minute that has any, so that a million one-shots cost eight
// bytes each and the forecast can read how many fall into a minute.
//
// Cancelling is lazy: the owner counts it here and says at pop time, through `is_live`, which
// events still hold. A minute that is mostly dead is swept.
class EventQueue {
 public:
  using IsLive = std::function<bool(const Event&)>;

  static constexpr std::int64_t kMicrosPerMinute = 60'000'000;
  static std::int64_t minute_of(Instant at) {
    return std::chrono::floor<std::chrono::minutes>(at.since_origin()).count();
  }

  void push(const Event& event);

  // Says that one event of this kind and instant no longer holds.
  void cancelled(Instant at, EventKind kind, const IsLive& is_live);

  // The instant of the next event (perhaps of a cancelled one: waking for it does no harm).
  std::optional<Instant> next_at() const;

  // Takes out the next event; the caller checks whether it still holds, and if so the queue forgets
  // one live event of its minute.
  Event pop();
  void done(const Event& event);

  // Live one-shots by minute (minutes since 1970), in [first, last).
  void for_each_minute(
      std::int64_t first, std::int64_t last,
      const std::function<void(std::int64_t minute, std::size_t once)>& visit) const;

  // All events, dead ones included, of the minutes in [first, last).
  void for_each_event(std::int64_t first, std::int64_t last,
                      const std::function<void(const Event&)>& visit) const;

 private:
  struct Packed {
    std::uint32_t key;  // microseconds into the minute, then the kind: sorts as events happen
    std::uint32_t member;
  };
  struct Minute {
    std::vector<Packed> heap;
    std::uint32_t live = 0;
    std::uint32_t live_once = 0;
  };

  static Event unpack(std::int64_t minute, const Packed& packed);
  static Packed pack(const Event& event);
  void forget_one(Instant at, EventKind kind);

  std::map<std::int64_t, Minute> minutes_;
};

}  // namespace belfry::core
