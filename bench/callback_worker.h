#pragma once

#include "base/clock.h"
#include "base/condition.h"
#include "base/mutex.h"
#include "engine/dispatch/dispatch.h"

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace belfry {

// A worker whose work takes no time: claims, reports, waits for the confirmation, claims again. It
// lives in the engine's callbacks, as behind a server; one thread each would measure the scheduler.
class CallbackWorker {
 public:
  // Counts confirmed reports in `done`. Takes `slots` runs at once.
  CallbackWorker(engine::Dispatch& dispatch, const Clock& clock, std::atomic<std::size_t>& done,
                 std::string name, std::size_t slots)
      : dispatch_(dispatch), clock_(clock), done_(done), name_(std::move(name)), slots_(slots) {
    ask();
  }
  CallbackWorker(const CallbackWorker&) = delete;
  CallbackWorker& operator=(const CallbackWorker&) = delete;
  ~CallbackWorker() {
    stop_ = true;
    const MutexLock lock(mutex_);
    while (!gone_) left_.wait_for(mutex_, std::chrono::seconds(1));
  }

 private:
  void ask() {
    const auto asked =
        stop_ ? Result<engine::ClaimId>(fail(Errc::kUnavailable, "stopped"))
              : dispatch_.claim({.worker = name_,
                                 .job_types = {"default"},
                                 .max_runs = slots_,
                                 .until = clock_.boot_now() + std::chrono::milliseconds(500)},
                                [this](const std::vector<store::ClaimedRun>& runs) {
                                  report(runs);
                                  return true;
                                });
    if (asked) return;
    const MutexLock lock(mutex_);
    gone_ = true;
    left_.notify_all();
  }
  void report(const std::vector<store::ClaimedRun>& runs) {
    if (runs.empty()) return ask();
    std::vector<engine::Completion> completions;
    completions.reserve(runs.size());
    for (const store::ClaimedRun& run : runs) {
      completions.push_back({.grant = {run.run, run.fence},
                             .outcome = core::AttemptOutcome::kSucceeded,
                             .result = R"({"ok":true})"});
    }
    dispatch_.complete(std::move(completions), [this](const auto& answers) {
      for (const auto& answer : answers) {
        if (answer && *answer == engine::CompletionAnswer::kOk) ++done_;
      }
      ask();
    });
  }

  engine::Dispatch& dispatch_;
  const Clock& clock_;
  std::atomic<std::size_t>& done_;
  const std::string name_;
  const std::size_t slots_;
  std::atomic<bool> stop_ = false;
  Mutex mutex_;
  Condition left_;
  bool gone_ = false;
};

}  // namespace belfry
