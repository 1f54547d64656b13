#pragma once

#include "base/heartbeat.h"
#include "base/result.h"
#include "base/time.h"
#include "worker/task.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace belfry::worker {

// What a worker asks for.
struct ClaimRequest {
  std::string worker;
  std::vector<std::string> job_types;   // whose WORKER runs it takes
  std::vector<std::string> exec_types;  // whose EXEC runs it takes
  std::size_t max_runs = 1;
  Duration lease{};
  Duration wait{};          // how long the server may wait for runs
  std::string region = {};  // where it works; empty: where the server is
};

// A sign of life for one run.
struct Heartbeat {
  Grant grant;
  std::optional<Progress> progress = {};  // if it changed
  std::optional<std::string> log = {};    // all that is kept of the output so far, if it changed
};

// A run's end, as reported.
struct Completion {
  Grant grant;
  bool returned = false;  // not done: others continue at once, and no attempt is used up
  bool succeeded = false;
  Json result;
  std::string error;
  bool retryable = true;
  std::optional<Duration> retry_after = {};
  std::optional<Progress> progress = {};
  std::optional<std::string> log = {};
};
enum class CompletionAnswer : std::uint8_t {
  kOk,
  kFenced,  // counts for nothing: somebody else holds the run, or it is over
  kAgain,   // not known yet: say the same again
};

// How long to wait for the answer to a beat: a lease must survive a few lost ones.
inline Duration patience_for(Duration lease) {
  return std::min<Duration>(std::chrono::seconds(10), lease / 4);
}

// What is left of the time since a claim was sent, once the time that it waited is taken away: no
// grant is older. Without that time, which earlier servers do not tell, it may be all of it.
inline Duration oldest_age(Duration since_sent, std::optional<Duration> waited) {
  return std::max(since_sent - waited.value_or(Duration::zero()), Duration::zero());
}

// The way to a server. The runtime calls claim, beat and end each from one thread of its own, so
// three calls may be under way at once. An error means "try again"; kInvalid means that trying
// again is useless (a wrong key, a wrong address).
class Transport {
 public:
  virtual ~Transport() = default;

  virtual Result<std::vector<Task>> claim(const ClaimRequest& want) = 0;
  // Answers in the order asked.
  virtual Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const Heartbeat> beats,
                                                         Duration lease) = 0;
  virtual Result<std::vector<CompletionAnswer>> complete(std::span<const Completion> ends) = 0;

  // From any thread: the claim under way, and every later one, ends at once, with runs if some were
  // granted already, else with an error. After that error nothing more is granted. Beats and ends
  // go on.
  virtual void stop_claiming() = 0;

  // A server that can speak first tells of cancelled runs here, without waiting for a beat. Set
  // before the first claim; called from any thread.
  virtual void on_cancel(std::function<void(const Grant&)> /*call*/) {}
};

}  // namespace belfry::worker
