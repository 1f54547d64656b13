#pragma once

#include "base/result.h"
#include "store/runs.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// How workers get runs: they claim from a node, never from the database.
namespace belfry::engine {

// A worker's request for runs.
struct Claim {
  std::string worker;
  // At least one queue that it serves: a job type, or another queue of core/queue.h.
  std::vector<std::string> job_types;
  std::optional<TenantId> tenant;  // only this tenant's runs; none: anybody's
  std::size_t max_runs = 1;
  Duration lease = std::chrono::seconds(30);
  BootInstant until;        // then it is answered with no runs
  Incarnation holder = {};  // the node, if it does the work itself
  RegionNo region = {};     // where it works: it gets what may run there
};
using ClaimId = Strong<struct ClaimIdTag, std::uint64_t>;

// How an attempt ended, as its worker says.
struct Completion {
  store::RunGrant grant;
  core::AttemptOutcome outcome{};
  std::string result;  // JSON; empty: none
  std::string error;
  bool retryable = true;
  Duration retry_after{};  // of a failure: try again no sooner
};

enum class CompletionAnswer : std::uint8_t {
  kOk,      // it ended like that, by this call or by an earlier one that said the same
  kFenced,  // somebody else holds the run, or it is over: the worker's result counts for nothing
};

// Thread-safe. Nothing here waits: answers come by callback, from a thread of the engine and
// without any lock held, so a callback must be quick and may call back in.
//
// Callers have made sure that the runs' jobs belong to the worker's tenant: grants can be guessed.
class Dispatch {
 public:
  virtual ~Dispatch() = default;

  // Whether the runs are on their way. False promises that not a byte of them was sent: they go to
  // somebody else at once. If in doubt answer true; the leases take care of the rest.
  using OnRuns = std::function<bool(std::vector<store::ClaimedRun>)>;

  // Answered once: with runs as soon as there are any, up to `max_runs`; with none when the wait is
  // over or the node stops. Work goes to whoever waits longest, as much as it asked for.
  // kUnavailable when too many wait already or the node stops; then there is no callback.
  virtual Result<ClaimId> claim(Claim claim, OnRuns on_runs) = 0;

  // The worker is gone. True: its callback was not called and never will be. False: it was, or is
  // being called right now.
  virtual bool withdraw(ClaimId claim) = 0;

  // Answers in the order asked, each by itself. kUnavailable: not ended, try again.
  // kUnknownOutcome: nobody knows yet; repeating the report is safe and finds out.
  using OnCompleted = std::function<void(std::vector<Result<CompletionAnswer>>)>;
  virtual void complete(std::vector<Completion> completions, OnCompleted on_completed) = 0;

  // Prolongs leases. Answers in the order asked, or an error for all of them: beat again.
  using OnHeartbeat = std::function<void(Result<std::vector<HeartbeatAnswer>>)>;
  virtual void heartbeat(std::vector<store::RunGrant> grants, Duration lease,
                         OnHeartbeat on_heartbeat) = 0;

  // The worker cannot do these runs now and has begun nothing: they wait, for at least `wait`, and
  // no attempt is used up. Best effort, without an answer; a run that is missed comes back when its
  // lease ends.
  virtual void give_back(std::vector<store::RunGrant> grants, Duration wait) = 0;

  // Something may have become due: a run was triggered, another node says so. A hint; without it
  // waiting workers get their runs a second later.
  virtual void wake() = 0;
};

}  // namespace belfry::engine
