#pragma once

#include "base/log.h"
#include "base/rng.h"
#include "core/zone_catalog.h"
#include "engine/node.h"
#include "engine/schedules.h"
#include "store/store.h"
#include "tests/sim/checker.h"
#include "tests/sim/loop.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belfry::sim {

// What the actors share.
struct Stage {
  Loop& loop;
  store::Store& store;  // with faults
  store::Store& truth;  // the same without
  Checker& checker;
  core::ZoneCatalog& zones;
  Logger& log;
  std::function<Instant()> db_now;
  std::function<void(const std::string& event)> happened;
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

 private:
  void on_start() override;
  void on_kill() override;
  void renew();
  void tick();
  void reap();

  const Stage& stage_;
  std::string name_;
  double rate_;
  Rng rng_;
  std::unique_ptr<SimClock> clock_;
  std::unique_ptr<engine::Node> node_;
};

// A worker: claims runs, works on them for a while, beats and completes. A bad one fails, dawdles,
// dies and comes back with results nobody wants any more.
class WorkerActor final : public Process {
 public:
  WorkerActor(const Stage& stage, std::string name, bool bad, Rng rng)
      : Process(stage.loop),
        stage_(stage),
        name_(std::move(name)),
        bad_(bad),
        rng_(std::move(rng)) {}

  void become_good() { bad_ = false; }

 private:
  void on_start() override;
  void on_kill() override { held_.clear(); }
  void poll();
  void beat();
  void finish(store::RunGrant grant);

  const Stage& stage_;
  std::string name_;
  bool bad_;
  Rng rng_;
  std::map<core::RunRef, Fence> held_;
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

  const Stage& stage_;
  engine::Schedules schedules_;
  Rng rng_;
  bool editing_ = false;
  int created_ = 0;
  std::vector<JobId> jobs_;
};

}  // namespace belfry::sim
