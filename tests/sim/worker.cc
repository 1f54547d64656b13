#include "tests/sim/worker.h"

namespace belfry::sim {
namespace {

using core::AttemptOutcome;
using std::chrono::milliseconds;
using std::chrono::seconds;
using store::RunGrant;

constexpr Duration kLease = seconds(10);
constexpr Duration kWait = seconds(2);
constexpr Duration kTimeout = seconds(4);  // for an answer of any kind
constexpr Duration kWay = Duration(300);   // from a node to here
constexpr std::size_t kSlots = 50;

}  // namespace

void WorkerActor::on_start() {
  after(milliseconds(100), [this] { ask(); });
  after(kLease / 3, [this] { beat(); });
}

void WorkerActor::on_kill() {
  hang_up();
  held_.clear();
}

// The node notices that the connection is gone and, if it is not too late, forgets the claim.
void WorkerActor::hang_up() {
  if (!question_) return;
  question_->open = false;
  question_->node->receive([question = question_](engine::Dispatch& dispatch, BootInstant) {
    if (question->id) dispatch.withdraw(*question->id);
  });
  question_.reset();
}

// One claim at a time.
void WorkerActor::ask() {
  hang_up();
  if (held_.size() >= kSlots) return after(milliseconds(100), [this] { ask(); });
  auto question = std::make_shared<Question>(Question{.node = stage_.any_node()});
  question_ = question;
  const std::size_t most = 1 + rng_.below(kSlots - held_.size());
  question->node->receive([this, question, most](engine::Dispatch& dispatch, BootInstant now) {
    const auto id =
        dispatch.claim({.worker = name_,
                        .job_types = {"default", "other"},
                        .max_runs = most,
                        .lease = kLease,
                        .until = now + kWait},
                       [this, question](auto runs) { return answered(question, std::move(runs)); });
    if (id) question->id = *id;
  });
  after(kTimeout, [this, question] {
    if (question->open) ask();
  });
}

// At the node: its answer goes on its way to us, or it learns that nobody waits.
bool WorkerActor::answered(const std::shared_ptr<Question>& question,
                           std::vector<store::ClaimedRun> runs) {
  if (!question->open) {
    if (!runs.empty()) stage_.happened("answer nobody waits for");
    return false;
  }
  // Granted a while ago, if the store was slow or its reply had to be found out, and the database's
  // clock may have been set back since.
  for (const store::ClaimedRun& run : runs) {
    stage_.checker.note_grant(run, run.lease_until - kLease, stage_.truth);
  }
  if (stage_.lost()) {
    stage_.happened("lost runs");
    return true;
  }
  after(kWay, [this, question, runs = std::move(runs)]() mutable {
    if (!question->open) return;  // we gave up on it; the leases will end
    question->open = false;
    question_.reset();
    receive(std::move(runs));
  });
  return true;
}

void WorkerActor::receive(std::vector<store::ClaimedRun> runs) {
  for (const store::ClaimedRun& run : runs) {
    stage_.happened("claimed");
    held_[run.run] = {.fence = run.fence};
    // A bad one may never be done, and does not hear when it is told to stop.
    if (bad_ && rng_.chance(0.02)) continue;
    const Duration work =
        bad_ && rng_.chance(0.05) ? Duration(seconds(40)) : rng_.up_to(seconds(2));
    after(work, [this, grant = RunGrant{run.run, run.fence}] { finish(grant); });
  }
  after(rng_.up_to(milliseconds(20)), [this] { ask(); });
}

void WorkerActor::beat() {
  std::vector<RunGrant> grants;
  for (const auto& [run, held] : held_) grants.push_back({run, held.fence});
  if (!grants.empty()) {
    stage_.any_node()->receive([this, grants](engine::Dispatch& dispatch, BootInstant) {
      dispatch.heartbeat(grants, kLease, [this, grants](auto answers) {
        if (!answers || stage_.lost()) return;
        after(kWay, [this, grants, answers = *answers] { hear(grants, answers); });
      });
    });
  }
  after(kLease / 3, [this] { beat(); });
}

void WorkerActor::hear(const std::vector<RunGrant>& grants,
                       const std::vector<HeartbeatAnswer>& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i] != HeartbeatAnswer::kFenced) continue;
    const auto held = held_.find(grants[i].run);
    if (held == held_.end() || held->second.fence != grants[i].fence) continue;
    if (held->second.outcome) continue;  // reported meanwhile: the answer to that counts
    stage_.happened("fenced");
    if (!bad_) held_.erase(held);  // a bad one goes on and is refused
  }
}

void WorkerActor::finish(RunGrant grant) {
  const auto held = held_.find(grant.run);
  if (held == held_.end() || held->second.fence != grant.fence) return;
  const bool failed = rng_.chance(bad_ ? 0.3 : 0.02);
  held->second.outcome = failed ? AttemptOutcome::kFailed : AttemptOutcome::kSucceeded;
  report(grant);
}

// Repeats until somebody confirms it.
void WorkerActor::report(RunGrant grant) {
  const auto held = held_.find(grant.run);
  if (held == held_.end() || held->second.fence != grant.fence) return;
  if (!held->second.outcome) return;  // a store that grants twice: the later work counts
  if (bad_ && rng_.chance(0.05)) held->second.outcome = AttemptOutcome::kSucceeded;
  const engine::Completion completion{
      .grant = grant, .outcome = *held->second.outcome, .result = "{}", .error = ""};
  stage_.any_node()->receive([this, completion](engine::Dispatch& dispatch, BootInstant) {
    dispatch.complete({completion},
                      [this, completion](auto answers) { confirm(completion, answers.front()); });
  });
  after(kTimeout, [this, grant] { report(grant); });
}

// Runs at the node; then the answer is on its way to us.
void WorkerActor::confirm(const engine::Completion& completion,
                          const Result<engine::CompletionAnswer>& answer) {
  if (!answer) return stage_.happened("report failed");
  stage_.checker.note_answer(completion, *answer, stage_.db_now(), stage_.truth);
  const bool ok = *answer == engine::CompletionAnswer::kOk;
  const bool failed = completion.outcome == AttemptOutcome::kFailed;
  stage_.happened(!ok ? "stale result" : failed ? "failed" : "succeeded");
  if (stage_.lost()) return stage_.happened("lost confirmation");
  after(kWay, [this, grant = completion.grant] {
    const auto held = held_.find(grant.run);
    if (held != held_.end() && held->second.fence == grant.fence) held_.erase(held);
  });
}

}  // namespace belfry::sim
