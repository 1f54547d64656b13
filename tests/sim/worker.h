#pragma once

#include "base/rng.h"
#include "tests/sim/actors.h"

#include <map>
#include <memory>
#include <string>

namespace belfry::sim {

// A worker: claims runs from some node, works on them for a while, beats and reports, each time at
// any node. Without an answer it tries again elsewhere. A bad one fails, dawdles, changes its mind,
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
  struct Held {
    Fence fence;
    std::optional<core::AttemptOutcome> outcome;  // once the work is done
  };
  // A claim at a node. Once closed, it takes no answer: nothing of it has reached us then.
  struct Question {
    NodeActor* node = nullptr;
    std::optional<engine::ClaimId> id;  // once it has arrived there
    bool open = true;
  };

  void on_start() override;
  void on_kill() override;

  void ask();
  void hang_up();
  bool answered(const std::shared_ptr<Question>& question, std::vector<store::ClaimedRun> runs);
  void receive(std::vector<store::ClaimedRun> runs);
  void beat();
  void hear(const std::vector<store::RunGrant>& grants,
            const std::vector<HeartbeatAnswer>& answers);
  void finish(store::RunGrant grant);
  void report(store::RunGrant grant);
  void confirm(const engine::Completion& completion,
               const Result<engine::CompletionAnswer>& answer);

  const Stage& stage_;
  std::string name_;
  bool bad_;
  Rng rng_;
  std::map<core::RunRef, Held> held_;
  std::shared_ptr<Question> question_;
};

}  // namespace belfry::sim
