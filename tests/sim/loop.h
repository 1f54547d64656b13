#pragma once

#include "base/clock.h"
#include "base/time.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

// Simulated time: one thread, one event at a time, in an order fixed by the seed.
namespace belfry::sim {

class Loop {
 public:
  explicit Loop(Instant start) : now_(start) {}

  Instant now() const { return now_; }

  void at(Instant when, std::function<void()> action) {
    events_.push({std::max(when, now_), next_number_++, std::move(action)});
  }

  // Time passes while somebody waits for an answer; events meanwhile happen late, as on a
  // busy machine.
  void pass(Duration time) { now_ = now_ + time; }

  void run_until(Instant end) {
    while (!events_.empty() && events_.top().when <= end) {
      Event event = std::move(const_cast<Event&>(events_.top()));
      events_.pop();
      now_ = std::max(now_, event.when);
      event.action();
    }
    now_ = std::max(now_, end);
  }

 private:
  struct Event {
    Instant when;
    std::uint64_t number;
    std::function<void()> action;
    friend bool operator<(const Event& a, const Event& b) {
      return std::tie(a.when, a.number) > std::tie(b.when, b.number);
    }
  };

  Instant now_;
  std::uint64_t next_number_ = 0;
  std::priority_queue<Event> events_;
};

// A process's own clock: it runs at its own rate, and its wall time may be hours wrong.
class SimClock final : public Clock {
 public:
  SimClock(const Loop& loop, double rate, Duration wall_offset)
      : loop_(loop), start_(loop.now()), rate_(rate), wall_offset_(wall_offset) {}

  Instant wall_now() const override { return loop_.now() + wall_offset_; }
  BootInstant boot_now() const override {
    const auto elapsed = static_cast<double>((loop_.now() - start_).count());
    return BootInstant(Duration(static_cast<std::int64_t>(elapsed * rate_)) +
                       std::chrono::hours(1));
  }

 private:
  const Loop& loop_;
  Instant start_;
  double rate_;
  Duration wall_offset_;
};

// Something that can be killed and frozen. What it planned dies with it; what falls due while it is
// frozen happens all at once when it thaws.
class Process {
 public:
  explicit Process(Loop& loop) : loop_(loop) {}
  virtual ~Process() = default;

  bool alive() const { return alive_; }
  bool frozen() const { return frozen_; }

  void start() {
    alive_ = true;
    ++life_;
    on_start();
  }
  void kill() {
    if (!alive_) return;
    alive_ = false;
    ++life_;
    deferred_.clear();
    frozen_ = false;
    on_kill();
  }
  void freeze() { frozen_ = alive_; }
  void thaw() {
    frozen_ = false;
    for (auto& action : std::exchange(deferred_, {})) {
      if (alive_) action();
    }
  }

 protected:
  virtual void on_start() = 0;
  virtual void on_kill() = 0;

  void after(Duration delay, std::function<void()> action) {
    loop_.at(loop_.now() + delay, [this, life = life_, action = std::move(action)]() mutable {
      if (life != life_) return;
      if (frozen_) {
        deferred_.push_back(std::move(action));
      } else {
        action();
      }
    });
  }

  Loop& loop_;

 private:
  bool alive_ = false;
  bool frozen_ = false;
  std::uint64_t life_ = 0;
  std::vector<std::function<void()>> deferred_;
};

}  // namespace belfry::sim
