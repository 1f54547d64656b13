#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/job.h"
#include "core/proof/check.h"
#include "core/run.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

// What changed, for those who watch: written in the transaction of the change itself.
namespace belfry::store {

// The place of an event in the order of reading. Transactions do not end in the order they begin
// in, so a number alone would let a reader miss those that come in late.
struct EventId {
  std::uint64_t transaction = 0;
  std::uint64_t number = 0;
  friend auto operator<=>(const EventId&, const EventId&) = default;
};

struct JobEvent {
  JobId job;
  std::uint32_t revision = 0;
  core::JobStatus status{};
  friend bool operator==(const JobEvent&, const JobEvent&) = default;
};

struct RunEvent {
  core::RunRef run;
  core::RunState state{};
  friend bool operator==(const RunEvent&, const RunEvent&) = default;
};

// The ledger is not what the definitions ask for.
struct ViolationEvent {
  JobId job;
  Tick tick;
  core::FlawKind kind{};
  friend bool operator==(const ViolationEvent&, const ViolationEvent&) = default;
};

// Jobs, runs or violations of one tenant that came together. It names at most kMostNamed of them;
// `count` says how many there were.
inline constexpr std::size_t kMostNamed = 20;
struct Event {
  EventId id;
  Instant at;
  TenantId tenant;
  std::size_t count = 0;
  std::vector<JobEvent> jobs;
  std::vector<RunEvent> runs;  // of these three, one is not empty
  std::vector<ViolationEvent> violations;
};

// Events as a stream. They are kept for an hour.
class EventStore {
 public:
  virtual ~EventStore() = default;

  // The oldest events after `after`, at most `most`, in their order. Complete up to the last one
  // returned: nothing will ever appear before it.
  virtual Result<std::vector<Event>> events_after(const EventId& after, std::size_t most) = 0;

  // Where a reader that wants only what is new begins.
  virtual Result<EventId> last_event() = 0;
};

}  // namespace belfry::store
