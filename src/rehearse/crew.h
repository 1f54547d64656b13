#pragma once

#include "base/clock.h"
#include "engine/dispatch/hands.h"
#include "rehearse/plan.h"

#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <vector>

namespace belfry::rehearse {

// Workers without end: a run begins as soon as it may, takes as long as the plan says, and
// succeeds. They work on while nobody decides, and report when somebody does again.
class Crew final : public engine::Hands {
 public:
  // How long a run of a job takes, and whether a newer one ends it.
  struct Work {
    Duration takes{};
    bool is_replaceable = false;
  };
  using WorkOf = std::function<Work(JobId)>;

  Crew(WorkOf work_of, const Clock& clock);

  // See engine/dispatch/hands.h.
  std::unique_ptr<Reservation> reserve(std::span<const Run> runs) override;
  void deliver(std::unique_ptr<Reservation> reservation,
               std::vector<store::ClaimedRun> granted) override;

  const store::Taker& taker() const { return taker_; }
  void begin(const store::ClaimedRun& run);
  // How many attempts have begun and, as far as it was told, not ended.
  std::size_t busy() const { return busy_; }
  void note_ended(std::size_t attempts) { busy_ -= attempts; }

  // When an attempt ends next, or will have taken too long.
  std::optional<Instant> next() const;
  // Attempts whose work is done by now, oldest first; each is told once.
  std::vector<store::RunGrant> take_done();
  // Whether the time of some attempt is over; asked once for each.
  bool take_overdue();

  // Attempts of which a newer run may be the end, until they are dropped.
  const std::set<store::RunGrant>& replaceable() const { return replaceable_; }
  void drop(const store::RunGrant& grant) { replaceable_.erase(grant); }

 private:
  // An attempt, and when it ends, or when its time does.
  struct Timer {
    Instant at;
    store::RunGrant grant;
    friend bool operator>(const Timer& a, const Timer& b) {
      return a.at != b.at ? a.at > b.at : a.grant > b.grant;
    }
  };
  using Timers = std::priority_queue<Timer, std::vector<Timer>, std::greater<>>;

  const WorkOf work_of_;
  const Clock& clock_;
  const store::Taker taker_;
  std::size_t busy_ = 0;
  Timers ends_;
  Timers deadlines_;
  std::set<store::RunGrant> replaceable_;
};

}  // namespace belfry::rehearse
