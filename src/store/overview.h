#pragma once

#include "base/result.h"
#include "store/ownership.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// How the cluster stands, cheaply enough to be asked every few seconds.
namespace belfry::store {

// Counting stops at some 100,000.
struct Count {
  std::int64_t value = 0;
  bool exact = true;  // false: an estimate, or a lower bound
};

struct Overview {
  struct Node {
    Incarnation incarnation;
    std::string name;
    std::string region;
    Instant started_at;
    Instant lease_until;                   // before `now`: it is gone
    std::optional<Duration> clock_offset;  // its clock minus the database's, as it last said
  };
  struct Partition {
    PartitionNo partition;
    std::optional<Incarnation> owner;
    Epoch epoch;
    Instant decided_through;
    JobsVersion version;
  };
  struct Leader {
    Incarnation holder;
    std::uint64_t term = 0;
    Instant lease_until;
  };

  Instant now;
  std::vector<Node> nodes;            // by name
  std::vector<Partition> partitions;  // by number
  std::optional<Leader> leader;       // none if nobody has led yet
};

struct LiveRuns {
  Count ready, running, retrying;
  std::optional<Instant> oldest_ready;  // due_at of the run that waits longest for a worker
};

// Totals of all tenants, or of one.
struct Totals : LiveRuns {
  Count active, paused, cancelled, completed;  // jobs
  Count failing;                               // jobs whose last run failed
};

// What waits in a queue (core/queue.h) of a tenant, and who is at it.
struct QueueLoad {
  std::string queue;
  TenantId tenant;
  std::optional<RegionNo> region;  // whose workers may have them; none: any region's
  std::string region_name;         // if there are several
  // Runs that could start: due, and none of their own job in the way.
  std::int64_t waiting = 0;
  std::optional<Instant> waiting_since;  // when the first of them was due
  std::int64_t held = 0;                 // in somebody's hands
  std::optional<Instant> held_since;     // the longest
  // Runs of missed ticks whose turn is still to come.
  std::int64_t in_line = 0;
  std::optional<Instant> line_until;  // when the last of them is due
};

// What a node says of itself and of its jobs, so that one node can judge all of them.
struct BrokenSchedule {
  JobId job;
  std::string reason;  // why it has no ticks
  bool operator==(const BrokenSchedule&) const = default;
};

struct NodeNote {
  Incarnation node;
  std::optional<Duration> clock_offset;  // its clock minus the database's
  std::vector<PartitionNo> partitions;   // whose jobs it knows
  std::vector<BrokenSchedule> broken;    // all jobs of these that it cannot evaluate
};

class NodeNoteStore {
 public:
  virtual ~NodeNoteStore() = default;

  // Replaces what was said before of these partitions, where the node still owns them: what a
  // deposed owner says changes nothing. Repeating is harmless.
  virtual Status put_node_note(const NodeNote& note) = 0;
};

class OverviewStore {
 public:
  virtual ~OverviewStore() = default;

  virtual Result<Overview> overview() = 0;
  // Walks along two indexes of live runs, at most 100,000 entries of each.
  virtual Result<LiveRuns> live_runs() = 0;
  virtual Result<Totals> totals() = 0;
  virtual Result<Totals> totals_of(TenantId tenant) = 0;
  // By queue, tenant and region; of at most 20,000 live runs.
  virtual Result<std::vector<QueueLoad>> queue_loads() = 0;
};

}  // namespace belfry::store
