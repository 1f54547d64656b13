#pragma once

#include "base/log/log.h"
#include "base/rng.h"
#include "core/schedule/schedule_cache.h"
#include "core/schedule/zone_catalog.h"
#include "engine/node.h"
#include "engine/proof/ledger_watch.h"
#include "store/store.h"
#include "tests/sim/checker.h"
#include "tests/sim/loop.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belfry::sim {

class NodeActor;

// What the actors share.
struct Stage {
  Loop& loop;
  store::Store& store;  // faulty
  store::Store& truth;  // the same without faults
  Checker& checker;
  core::ZoneCatalog& zones;
  Logger& log;
  std::function<Instant()> db_now;
  std::function<void(const std::string& event)> happened;
  std::function<NodeActor*()> any_node;  // dead ones too: nobody outside can tell
  std::function<bool()> lost;            // whether a message between worker and node gets lost
};

// A scheduler node: the real engine, driven by simulated timers.
class NodeActor final : public Process {
 public:
  NodeActor(const Stage& stage, std::string name, double clock_rate, Rng rng)
      : Process(stage.loop),
        stage_(stage),
        name_(std::move(name)),
        rate_(clock_rate),
        rng_(std::move(rng)) {}

  void stop_gracefully();
  // As the runner stops a node: it goes when others have taken its partitions.
  void hand_over_and_leave(std::function<void()> when_gone);
  bool is_retired() const { return retired_; }

  // A message from a worker. A dead node never sees it, a frozen one later.
  using Message = std::function<void(engine::Dispatch&, BootInstant now)>;
  void receive(Message message);

 private:
  // A duty that rests until there is something to do. An earlier plan replaces a later one.
  struct Round {
    Instant at = Instant::max();
    std::uint64_t number = 0;
  };

  void on_start() override;
  void on_kill() override;
  void leave();
  void await_relief(BootInstant end, std::function<void()> when_gone);
  void renew();
  void tick();
  void load();
  void reap();
  void plan(Round& round, std::optional<BootInstant> wake, void (NodeActor::*duty)());
  void claim();
  void end_attempts();
  void prove();

  const Stage& stage_;
  std::string name_;
  double rate_;
  Rng rng_;
  std::unique_ptr<SimClock> clock_;
  engine::Observer observer_;
  std::unique_ptr<engine::Node> node_;
  std::unique_ptr<engine::LedgerWatch> watch_;
  bool retired_ = false;
  Round renewals_;
  Round ticks_;
  Round loads_;
  Round claims_;
  Round completions_;
};

// People who create, edit, pause, resume, delete and trigger jobs.
class UserActor final : public Process {
 public:
  UserActor(const Stage& stage, Rng rng)
      : Process(stage.loop), stage_(stage), schedules_(stage.zones), rng_(std::move(rng)) {}

  void create_jobs(int count);
  void set_editing(bool on) { editing_ = on; }

 private:
  void on_start() override { act(); }
  void on_kill() override {}
  void act();
  core::JobDefinition draw_definition();
  void change(JobId job);
  void backfill(JobId job);
  void retry(JobId job);
  void unstick(JobId id);
  void cancel(JobId id);

  const Stage& stage_;
  core::ScheduleCache schedules_;  // for backfills
  Rng rng_;
  bool editing_ = false;
  int created_ = 0;
  std::vector<JobId> jobs_;
};

}  // namespace belfry::sim
