#pragma once

#include "core/book/fair_turns.h"
#include "core/book/live_run.h"
#include "core/job_type.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace belfry::core {

// The live runs of some partitions: which may be handed out next, and whose time may be over.
//
// The book is a memory, never the truth: what it offers still has to be granted by the store, which
// looks at the row's state. An entry that is stale costs a refusal, after which the caller puts
// what the store says; one that is missing waits until the next whole reading of its partition.
//
// Order: tenants take turns by weight; within a tenant the highest priority first, then the oldest;
// of those that are equally old, one partition after the other.
// Of exclusive runs of a job one is offered at a time, and none while one is held, nor together
// with any other run of its job. Of a type with limits no more are offered at once than could
// start; whether they may, the store says.
//
// Pure, and not thread-safe.
class RunBook {
 public:
  // From now on the book remembers runs of this partition; until then it ignores them.
  void open(PartitionNo partition) { partitions_.try_emplace(partition); }
  void close(PartitionNo partition);
  bool is_open(PartitionNo partition) const { return partitions_.contains(partition); }

  // What is known of a run now, and that it is over.
  void put(const LiveRun& run);
  void remove(const RunRef& run);

  // Compares with a reading of all live runs of a partition. What the book has learned since
  // `mark()` said `before` is newer than the reading, and stays.
  using Mark = std::uint64_t;
  Mark mark() const { return last_change_; }
  void compare(PartitionNo partition, std::span<const LiveRun> reading, Mark before);

  // What a worker can do.
  struct Wish {
    std::span<const std::string> queues;
    std::optional<TenantId> tenant;  // only this one's
    RegionNo region = {};            // where it is: it gets what may run there
    std::size_t most = 0;
  };
  struct Picked {
    RunRef run;
    TenantId tenant;
  };
  struct TypeLimit {
    TenantId tenant;
    std::string type;
    TypeLimits limits;
  };
  // The next runs for it. They are offered to nobody else until hold(), put_back() or remove() says
  // what became of them.
  std::vector<Picked> pick(const Wish& wish, Instant now);
  void hold(const RunRef& run, const LiveRun::Held& held);
  void put_back(const RunRef& run);
  // Whether a wish for one run would be granted.
  bool offers(const Wish& wish, Instant now);

  void set_weight(TenantId tenant, std::int32_t weight) { turns_.set_weight(tenant, weight); }
  // A tenant that may have no more runs in flight just now.
  void put_aside(TenantId tenant) { turns_.put_aside(tenant); }
  void bring_back(TenantId tenant) { turns_.bring_back(tenant); }

  // All types that have limits; others have none any more.
  void set_limits(std::span<const TypeLimit> limits);
  // How long to wait where the store has no room for a type; none if it has no limits.
  std::optional<Duration> wait_for_room(TenantId tenant, const std::string& type) const;
  // A type for which there is no room is not offered until then, or until there may be some: when a
  // run has ended, those come back that wait for that.
  void put_aside(TenantId tenant, const std::string& type, Instant until);
  void bring_types_back();

  // Held runs whose time is over, as far as the book knows: others may have prolonged it.
  std::vector<RunRef> overdue(Instant now, std::size_t most) const;
  // Runs that nobody has started by the time they had. Ask about once a second: the book keeps only
  // those in mind whose time is near, and comparing it with the store brings the others in.
  std::vector<RunRef> unstarted(Instant now, std::size_t most);
  // Runs that are held by nodes which are not among these.
  std::vector<RunRef> held_by_others(const std::set<Incarnation>& nodes, std::size_t most) const;
  // When the next run that waits for its time becomes due, or a type that was put aside is to be
  // tried again.
  std::optional<Instant> next_due() const;

  const LiveRun::Held* holder_of(const RunRef& run) const;
  std::size_t size() const { return size_; }

 private:
  using TypeNo = std::uint32_t;  // numbered as queues are
  static constexpr TypeNo kUnlimited = ~0U;

  enum class Where : std::uint8_t {
    kNowhere,
    kLater,  // waits for its time
    kLane,   // may be picked
    kLine,   // exclusive: in its job's line, where only the first may have a place in a lane
    kTaken,  // picked; the store is being asked
    kHeld,
  };
  struct Entry {
    TenantId tenant;
    QueueNo queue = 0;
    TypeNo type = 0;
    std::int32_t priority = 0;
    bool exclusive = false;
    Where where = Where::kNowhere;
    Instant due;
    Instant start_by = Instant::max();
    LiveRun::Held held;
    Mark changed = 0;
  };
  struct HashRun {
    std::size_t operator()(const RunRef& run) const {
      return run.job.value() * 0x9e37'79b9'7f4a'7c15 ^
             static_cast<std::uint64_t>(run.key.value()) * 0xff51'afd7'ed55'8ccd;
    }
  };
  using Entries = std::unordered_map<RunRef, Entry, HashRun>;

  // A place in a lane: what is smaller goes first. Among equals the runs of a partition go
  // together: stores keep them side by side, so a herd that is handed out and ended like that
  // touches a few pages where it would touch all.
  struct Place {
    std::int32_t after_priority = 0;  // the priority, negated
    Instant due;
    RunRef run;
    friend bool operator<(const Place& a, const Place& b) {
      const auto order = [](const Place& place) {
        return std::tuple(place.after_priority, place.due, partition_of(place.run.job), place.run);
      };
      return order(a) < order(b);
    }
  };
  using Lane = std::set<Place>;
  // Types with limits have lanes of their own, so that they can be put aside; the others share one.
  using LaneKey = std::tuple<QueueNo, TenantId, TypeNo>;
  using TypeKey = std::pair<TenantId, TypeNo>;
  struct Limited {
    TypeLimits limits;
    std::set<QueueNo> queues = {};      // in which it has a lane
    std::optional<Instant> until = {};  // put aside
    bool shut = false;                  // likewise, or had its share of this pick
  };

  // The exclusive runs of a job.
  struct Job {
    std::size_t in_hand = 0;                    // taken or held
    std::set<std::pair<Instant, RunRef>> line;  // those that are due
    std::optional<RunRef> offered;              // the one of the line that is in its lane
  };

  Entry* find(const RunRef& run);
  const Entry* find(const RunRef& run) const;
  void write(Entries& entries, const LiveRun& run);
  QueueNo number_of(const std::string& name);
  QueueNo number_of(const LiveRun& run);
  std::vector<QueueNo> known_numbers(const Wish& wish) const;

  void place(const RunRef& run, Entry& entry, Where where);
  void displace(const RunRef& run, Entry& entry);
  void offer_next_of(JobId job);
  void enter_lane(const RunRef& run, const Entry& entry);
  void leave_lane(const RunRef& run, const Entry& entry);
  LaneKey lane_of(const Entry& entry) const;
  bool is_open(const LaneKey& lane) const;
  void open_lane(const LaneKey& lane);
  void shut_lane(const LaneKey& lane);
  void set_shut(const TypeKey& type, Limited& limited, bool shut);
  void put_aside(const TypeKey& type, Limited& limited, std::optional<Instant> until);
  std::vector<RunRef> in_lanes_of(const std::set<TypeKey>& types) const;
  void become_due(Instant now);
  void await_start(const RunRef& run, const Entry& entry);
  const Lane* best_lane(std::span<const QueueNo> queues, TenantId tenant) const;
  void put_back_accompanied(std::vector<Picked>& picked);

  std::map<PartitionNo, Entries> partitions_;
  QueueNo last_number_ = 0;
  std::unordered_map<std::string, QueueNo> numbers_;  // of queues and types
  // Of queues in regions: a queue whose runs may go to one region only is another queue there.
  std::map<std::pair<QueueNo, RegionNo>, QueueNo> in_regions_;
  std::map<LaneKey, Lane> lanes_;  // none is empty
  std::map<std::pair<QueueNo, TenantId>, std::size_t> open_lanes_;
  std::map<TypeKey, Limited> limited_;
  std::set<std::pair<Instant, TypeKey>> aside_;
  FairTurns turns_;
  std::unordered_map<JobId, Job> jobs_;  // with exclusive runs in hand or in line
  std::set<std::pair<Instant, RunRef>> later_;
  std::set<std::pair<Instant, RunRef>> ends_;  // of the held ones
  std::set<std::pair<Incarnation, RunRef>> held_by_nodes_;
  std::set<std::pair<Instant, RunRef>> starts_;  // when waiting ones have to start, before `soon_`
  Instant soon_ = Instant::min();
  Instant now_ = Instant::min();  // up to which runs have become due
  Mark last_change_ = 0;
  std::size_t size_ = 0;
};

}  // namespace belfry::core
