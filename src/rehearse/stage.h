#pragma once

#include "base/log/log.h"
#include "base/manual_clock.h"
#include "base/result.h"
#include "core/schedule/zone_catalog.h"
#include "engine/dispatch/live_runs.h"
#include "engine/dispatch/reaper.h"
#include "engine/observer.h"
#include "engine/ticks/ticker.h"
#include "rehearse/crew.h"
#include "rehearse/diary.h"
#include "rehearse/plan.h"
#include "store/decisions.h"
#include "store/hints.h"
#include "store/runs.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace belfry::rehearse {

// A node's own duties, the ticker, the live runs and the reaper, on a clock that jumps from one
// thing that happens to the next. Nothing is decided here: this calls the engine when a node's
// threads would, and is the only thing that moves the clock.
//
// At one instant, work that is done is reported first, then what waited for that begins, then ticks
// are decided: a run that takes exactly as long as two ticks are apart is not in the second's way.
// In an outage the node is gone, as after a crash; the one after it finds everything in the store.
class Stage {
 public:
  struct Stores {
    store::DecisionStore& decisions;
    store::RunStore& runs;
    store::HintStore& hints;
    // A new owner of the partitions; called at the begin, and after each outage.
    std::function<Result<std::vector<store::OwnedPartition>>(const Incarnation&)> own;
    // When a run that waits will have waited too long; none: does not happen.
    std::function<std::optional<Instant>()> first_start_by;
  };
  struct Times {
    Instant from;
    Instant to;
    std::vector<Outage> outages;
  };

  // `clock` is the stores' too.
  Stage(const Stores& stores, const Times& times, ManualClock& clock, core::ZoneCatalog& zones,
        Crew::WorkOf work_of, std::string queue);

  Status perform();

 private:
  // What is gone after a crash.
  struct Node {
    Node(Stage& stage, Incarnation name);
    engine::LiveRuns live;
    engine::Ticker ticker;
    engine::Reaper reaper;
  };

  Instant now() const { return clock_.wall_now(); }
  Status start();
  Status round();
  Status report_done();
  Status tick();
  Status stop_replaced();
  Status reap();
  Status hand_out();
  Status end(std::span<const store::AttemptEnd> ends);
  Instant next_moment() const;
  void move_to(Instant at);

  Stores stores_;
  Times times_;
  ManualClock& clock_;
  core::ZoneCatalog& zones_;
  Logger log_;
  engine::Observer observer_;
  Crew crew_;
  const std::vector<std::string> queues_;
  std::unique_ptr<Node> node_;
  std::uint64_t starts_ = 0;
  std::size_t next_out_ = 0;  // the next outage
};

// Plays the plan in memory and writes down what happens. An error is our own mistake: what the plan
// says has been checked by whoever made it.
Status rehearse(const Plan& plan, core::ZoneCatalog& zones, const Diary& diary);

}  // namespace belfry::rehearse
