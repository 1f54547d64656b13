#pragma once

#include "base/ids.h"
#include "base/time.h"
#include "core/schedule/rhythm.h"
#include "core/timetable/due_heap.h"
#include "core/timetable/event_queue.h"
#include "core/timetable/job_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace belfry::core {

// A tick that has come due.
struct DueTick {
  JobId job;
  Tick tick;
  Exclusion exclusion = Exclusion::kNone;
  Duration delay{};  // as in Occurrence
  friend bool operator==(const DueTick&, const DueTick&) = default;
};

// What one call of Timetable::pop_due found: per partition, in the order of their instants. Kept by
// the caller and used again, so that popping does not allocate.
class DueTicks {
 public:
  const std::vector<DueTick>& of(PartitionId partition) const {
    return by_partition_[partition.value()];
  }
  // Jobs whose last tick has been popped, or whose bounds have ended.
  const std::vector<JobId>& ended(PartitionId partition) const { return ended_[partition.value()]; }
  std::size_t size() const { return size_; }
  void clear();

 private:
  friend class Timetable;
  void end(PartitionId partition, JobId job) { ended_[partition.value()].push_back(job); }
  void add(PartitionId partition, const DueTick& due) {
    by_partition_[partition.value()].push_back(due);
    ++size_;
  }

  std::array<std::vector<DueTick>, kPartitionCount> by_partition_;
  std::array<std::vector<JobId>, kPartitionCount> ended_;
  std::size_t size_ = 0;
};

// When every job of the partitions a node owns ticks next.
//
// Cost follows what is due, not what exists. Jobs are grouped by rhythm: `0 0 * * *` with six
// million jobs is one entry of a heap and its next tick is computed once. One-shots, and the
// moments at which a job's bounds begin and end, are events of single jobs, queued by minute. So a
// job of a group needs no look at its bounds when the group ticks, and a job that begins next year
// costs nothing until then.
//
// The timetable has a cursor: everything up to it has been popped. What a job missed before the
// cursor (a partition taken over late) is not the timetable's concern: see for_each_rhythm.
//
// Not thread-safe: one owner.
class Timetable {
 public:
  // A job and the stretch in which its ticks count: (after, until].
  struct Job {
    JobId id;
    const Rhythm* rhythm;  // copied if new
    Instant after = Instant::min();
    Instant until = Instant::max();
  };

  explicit Timetable(Instant cursor) : cursor_(cursor) {}
  Timetable(const Timetable&) = delete;
  Timetable& operator=(const Timetable&) = delete;

  // Adds a job or replaces what was known of it. False when it has no tick after the cursor: then
  // it is not kept.
  bool put(PartitionId partition, const Job& job);
  // False when the job is not there.
  bool remove(PartitionId partition, JobId id);

  // Adds the jobs of a partition that has none yet.
  void load(PartitionId partition, std::span<const Job> jobs);
  // Makes room for so many jobs of a partition.
  void reserve(PartitionId partition, std::size_t jobs) {
    tables_[partition.value()].reserve(jobs);
  }
  // Adds jobs that are not there yet, have one recurring rhythm and no bounds. False when it has no
  // tick after the cursor: then they are not kept.
  bool load(PartitionId partition, const Rhythm& rhythm, std::span<const JobId> jobs);
  // Forgets a whole partition (it has another owner now).
  void drop(PartitionId partition);

  Instant cursor() const { return cursor_; }
  // The earliest instant at which pop_due may find something.
  std::optional<Instant> next_wakeup() const;
  // Adds to `due` all ticks in (cursor, until] and moves the cursor there.
  void pop_due(Instant until, DueTicks& due);

  // The recurring jobs of a partition by rhythm, for working out what was missed before the cursor.
  void for_each_rhythm(
      PartitionId partition,
      const std::function<void(const Rhythm&, std::span<const JobId>)>& visit) const;

  // How many runs will start in each of the `minutes` minutes from the one that contains `from`;
  // what has been popped does not count again. The cost grows with the distinct schedules, not with
  // the jobs.
  std::vector<std::uint64_t> forecast(Instant from, std::size_t minutes) const;

  std::size_t job_count() const;
  std::size_t schedule_count() const { return group_of_.size(); }

 private:
  // A job's address: the partition in the upper 8 bits, its slot there in the lower 24.
  using Member = std::uint32_t;

  struct Group {
    explicit Group(const Rhythm& shared) : rhythm(shared) {}
    Rhythm rhythm;
    std::optional<Occurrence> next;  // after the cursor
    std::vector<Member> members;
  };

  // What the few jobs with bounds need besides their record.
  struct Terms {
    std::optional<Rhythm> waiting;  // the rhythm to join at `after`
    Instant after;
    Instant until;
  };

  struct HashRhythm {
    std::size_t operator()(const Rhythm* rhythm) const { return rhythm->hash(); }
  };
  struct EqualRhythm {
    bool operator()(const Rhythm* a, const Rhythm* b) const { return *a == *b; }
  };

  static Member member_at(PartitionId partition, std::uint32_t slot);
  JobRecord& record_of(Member member);
  const JobRecord* find_record(Member member) const;

  bool insert(PartitionId partition, const Job& job);
  void insert_once(PartitionId partition, JobId id, Tick tick);
  void detach(Member member);
  void join(Member member, const Rhythm& rhythm);
  void leave_group(Member member);
  std::uint32_t group_for(const Rhythm& rhythm);
  void drop_group(std::uint32_t index);
  void plan_next(std::uint32_t index);

  bool is_live(const Event& event) const;
  void cancel(Instant at, EventKind kind);
  void tick_group(std::uint32_t index, DueTicks& due);
  void end_group(std::uint32_t index, DueTicks& due);
  void handle(const Event& event, DueTicks& due);

  Instant cursor_;
  std::array<JobTable, kPartitionCount> tables_;
  std::vector<std::unique_ptr<Group>> groups_;  // null: free
  std::vector<std::uint32_t> free_groups_;
  std::unordered_map<const Rhythm*, std::uint32_t, HashRhythm, EqualRhythm> group_of_;
  DueHeap heap_;
  EventQueue events_;
  std::unordered_map<Member, Terms> terms_;
};

}  // namespace belfry::core
