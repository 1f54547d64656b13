#pragma once

#include "engine/dispatch/dispatch.h"
#include "service/access/principal.h"
#include "service/refusal.h"
#include "service/services.h"
#include "store/run_logs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What workers may ask and report, with the same rules over REST and gRPC: what a call may hold,
// which runs a key gives access to, and that news of a run is kept before it ends. The callers read
// and write the messages.
namespace belfry::service {

struct WorkLimits {
  static constexpr std::int64_t kMostRuns = 1'000;       // in one call
  static constexpr std::int64_t kLongestLease = 3'600;   // seconds
  static constexpr std::int64_t kLongestWait = 60;       // seconds
  static constexpr std::int64_t kLongestRetry = 86'400;  // seconds
  static constexpr std::size_t kMostTypes = 100;
  static constexpr std::size_t kLongestName = 200;          // of a worker or a type
  static constexpr std::size_t kLargestResult = 64 * 1024;  // bytes; of a result, an error or a log
};

// A worker's request for runs; callers have checked it.
struct WorkerClaim {
  std::string worker;
  std::vector<std::string> job_types;   // types whose runs for workers it takes
  std::vector<std::string> exec_types;  // types whose commands it takes
  std::size_t max_runs = 1;
  Duration lease = std::chrono::seconds(30);
  Duration wait{};
  std::optional<std::string> region_name = {};  // where it works; none: in this node's region
  std::optional<RegionNo> region = {};          // the same, once find_region knows it
};
// Looks up the region that a worker says it works in. A complaint if no node has ever served it; an
// error if the store cannot say.
Status find_region(const Services& services, WorkerClaim& ask, std::vector<Complaint>& complaints);

engine::Claim claim_of(const Services& services, const Principal& principal,
                       const WorkerClaim& ask);

// Whether a text can name a worker: something that can be shown and stored.
bool is_name(std::string_view text);
// Whether a text can name a type: one word.
bool is_type(std::string_view text);

struct WorkerHeartbeat {
  store::RunGrant grant;
  store::RunNote note;  // its grant is not read
};
// May wait for the store. Answers in the order asked.
void heartbeat(const Services& services, const Principal& principal,
               std::vector<WorkerHeartbeat> beats, Duration lease,
               engine::Dispatch::OnHeartbeat on_beat);

struct WorkerCompletion {
  engine::Completion completion;
  store::RunNote note;
  bool returned = false;  // not done: it waits again, and no attempt is used up
};
void complete(const Services& services, const Principal& principal,
              std::vector<WorkerCompletion> ends, engine::Dispatch::OnCompleted on_ended);

// The words of the answers.
const char* word_of(HeartbeatAnswer answer);
const char* word_of(const Result<engine::CompletionAnswer>& answer);

// When a worker asked, and for how long a lease: what tells the age of a grant.
struct AskedFor {
  BootInstant at;
  Duration lease;
};
// How long ago a run was granted.
Duration age_of(const Services& services, const store::ClaimedRun& run, Duration lease);
// How long the worker's question had waited when the run was granted. By its own clock the worker
// knows since when it has been asking; what is left of that is the grant's age, at most.
Duration waited_for(const Services& services, const store::ClaimedRun& run, const AskedFor& asked);

// The attempt of a run as its worker knows it.
std::string attempt_id_of(const store::ClaimedRun& run);
// Its place in the run's trace, for what the worker traces.
std::string traceparent_of(const Services& services, const store::ClaimedRun& run);

// Targets as workers see them, one after the other: most runs have that of the one before.
class ShownTargets {
 public:
  const std::string& of(const store::ClaimedRun& run);

 private:
  std::string target_;
  std::string shown_;
};

}  // namespace belfry::service
