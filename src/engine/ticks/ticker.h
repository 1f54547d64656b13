#pragma once

#include "base/log/log.h"
#include "base/result.h"
#include "core/schedule/schedule_cache.h"
#include "core/timetable/timetable.h"
#include "engine/dispatch/hands.h"
#include "engine/dispatch/live_runs.h"
#include "engine/loading/loaded_partition.h"
#include "engine/loading/partition_reader.h"
#include "engine/observer.h"
#include "engine/ticks/job_queues.h"
#include "store/decisions.h"
#include "store/overview.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace belfry::engine {

struct TickerConfig {
  // Partitions taken in between two looks at what is due, so that those already there keep ticking.
  std::size_t loads_per_round = 4;
  std::size_t refreshes_per_round = 32;  // what has changed of them
  // Whether others read partitions for this ticker (engine/loading) and bring them by `bring`.
  bool is_brought = false;
  std::size_t runs_per_decision = 2'000;
  // Jobs given the status kCompleted between two looks at what is due: nobody waits for it.
  std::size_t completions_per_round = 500;
};

// Turns due ticks into runs and skips.
//
// For each partition it owns it keeps what the store's guard will ask for (epoch, version, cursor)
// and the fates it wants to write. A decision is written until the store answers: a repeated one is
// recognised there, so a lost reply is answered by asking again. If the jobs changed meanwhile,
// their ticks are worked out anew; if somebody else owns the partition, all of it is dropped.
// Nothing here is remembered over a restart, because everything that matters is in the
// partition's row.
class Ticker {
 public:
  // What a ticker works with; all of it must outlive the ticker.
  struct World {
    store::DecisionStore& store;
    core::ZoneCatalog& zones;
    Logger& log;
    Observer& observer;
    LiveRuns& live;
    Hands& hands;
  };

  Ticker(const World& world, Incarnation node, TickerConfig config = {})
      : store_(world.store),
        schedules_(world.zones),
        reader_(world.store, world.zones),
        node_(node),
        log_(world.log),
        observer_(world.observer),
        live_(world.live),
        hands_(world.hands),
        config_(config) {}

  void gain(const store::OwnedPartition& partition);
  void drop(PartitionNo partition);
  void drop_all();
  // Takes note of a partition as the store has it; if its jobs have changed, they are read again.
  void note(const store::OwnedPartition& partition);
  // Ticks up to this instant that the store takes for undecided are skipped as `commits_lost`.
  void skip_through(Instant lost) { lost_through_ = std::max(lost_through_, lost); }
  // A hint that jobs of a partition changed.
  void hint(PartitionNo partition);
  // The partitions whose jobs are not known yet, and room for how many of them.
  std::vector<PartitionNo> unloaded() const;
  bool has_room() const { return brought_.size() < config_.loads_per_round; }
  // The jobs of one of them, as somebody has read them.
  void bring(LoadedPartition loaded) { brought_.push_back(std::move(loaded)); }

  struct Report {
    std::size_t runs = 0;
    std::size_t skips = 0;  // rows asked for; ranges count once
    std::size_t overlaps = 0;
    Instant decided_at;
    std::optional<Duration> spare;  // store::DecideResult
  };
  // Loads what is new, pops what is due up to `now` (the database's clock, or as far ahead of it as
  // the store has patience) and writes it. An error is the store's; what was not written stays and
  // goes with the next call.
  Result<Report> run_once(Instant now);

  // Time has passed, up to `until`, in which nothing was to be done. For a caller who comes only at
  // next_wakeup(), on a clock that jumps: a long rest would look like a stall to run_once, and all
  // partitions would be loaded anew.
  void rest(Instant until);

  // When there will be something to do: at once where something is loading or waits to be written.
  std::optional<Instant> next_wakeup() const;

  std::size_t jobs() const { return timetable_ ? timetable_->job_count() : 0; }
  std::size_t schedules() const { return timetable_ ? timetable_->schedule_count() : 0; }
  std::size_t partitions() const;
  // Partitions whose jobs are all known as they are now, by slice.
  using Slices = std::bitset<kPartitionCount>;
  Slices known() const;
  // Jobs of these that have no ticks, because their schedules cannot be evaluated; and a number
  // that changes with them.
  std::vector<store::BrokenSchedule> broken() const;
  std::uint64_t broken_changes() const { return broken_changes_; }
  // The first tick whose fate is not written yet, past or future, of the partitions that are loaded
  // or were before.
  std::optional<Instant> first_undecided() const;

 private:
  struct Slice {
    store::OwnedPartition owned;
    bool loaded = false;
    bool outdated = false;             // its jobs have changed
    std::optional<Instant> decide_to;  // fates of (cursor, decide_to] wait to be written
    store::Decisions waiting;
    std::vector<JobId> ended;            // no tick is left of these
    double missed_per_second = 0;        // how often its jobs would have run while nobody decided
    bool lines_up = false;               // of `waiting`, missed ticks have to stand in line first
    std::optional<Instant> early_since;  // `waiting` waits for the database's clock to come there
    // Of a partition that has to be loaded again: a tick that was undecided before.
    std::optional<Instant> left;
  };

  // How long partitions with missed ticks wait for others that are still loading.
  static constexpr Duration kLongestLiningUp = std::chrono::seconds(1);

  Status catch_up(Instant now);
  Status read_next(Instant now);
  Status load(const LoadedPartition& loaded, Instant now);
  void add_group(Slice& slice, const LoadedPartition& loaded, const LoadedPartition::Group& group,
                 Instant now);
  Status add_singly(Slice& slice, const LoadedPartition& loaded, Instant now);
  Status add_once(Slice& slice, const LoadedPartition& loaded, Instant now);
  void add_missed(Slice& slice, JobId job, const core::Fates& missed);
  void note_missed(Slice& slice, Instant since, Instant now);
  void note_policies(std::span<const JobId> jobs, const core::JobPolicies& policies);
  void add_schedule(Slice& slice, JobId job, const core::Schedule& schedule, Instant after);
  std::vector<Slice*> next_outdated();
  Status refresh(const std::vector<Slice*>& outdated);
  Status take_changes(Slice& slice, const std::optional<LoadedPartition>& changes);
  void unload(Slice& slice);
  void leave(Slice& slice, std::optional<Instant> tick);
  void add_job(Slice& slice, const store::JobRow& job, Instant now);
  void forget_job(Slice& slice, JobId job);
  void collect_due(Instant now);
  void add_due(Slice& slice, const core::DueTick& due);
  void reload_late(Instant now);
  Status review(Instant now);
  Status decide_again(const std::vector<JobId>& jobs, Instant now);
  bool is_line_complete(Instant now);
  Status line_up(Instant now);
  Status write(Report& report);
  Status write_batch(const std::vector<Slice*>& batch, Report& report);
  std::unique_ptr<Hands::Reservation> reserve_hands(
      std::vector<store::PartitionDecision>& decisions);
  void doubt(std::span<const store::PartitionDecision> decisions);
  void settle(Slice& slice, const store::PartitionOutcome& outcome, store::Decisions& written);
  Status complete();

  std::optional<Slice>& slice_at(PartitionNo partition) {
    return slices_[slice_of(partition).value()];
  }

  store::DecisionStore& store_;
  core::ScheduleCache schedules_;
  JobQueues queues_;
  PartitionReader reader_;
  const Incarnation node_;
  Logger& log_;
  Observer& observer_;
  LiveRuns& live_;
  Hands& hands_;
  const TickerConfig config_;

  std::optional<core::Timetable> timetable_;  // from the first "now" on
  core::DueTicks due_;
  std::vector<LoadedPartition> brought_;
  std::size_t refresh_from_ = 0;  // the slice after the last one whose changes were read
  std::array<std::optional<Slice>, kPartitionCount> slices_;
  std::unordered_map<JobId, Instant> paused_;  // core::paused_through of those that are
  std::unordered_set<JobId> strict_;           // those with less than the usual tolerance
  std::map<JobId, std::string> broken_;        // those without ticks, and why
  std::uint64_t broken_changes_ = 0;
  Instant lost_through_ = Instant::min();
  std::optional<Instant> lines_up_since_;  // when the first slice began to wait for the others
};

}  // namespace belfry::engine
