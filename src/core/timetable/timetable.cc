#include "core/timetable/timetable.h"

#include "base/assert.h"
#include "core/timetable/forecast.h"

#include <algorithm>
#include <utility>

namespace belfry::core {
namespace {

// What JobRecord::place says: a group's number, or with the top bit set something else.
constexpr std::uint32_t kElsewhere = 1U << 31;
constexpr std::uint32_t kWaiting = ~std::uint32_t{0};  // for its `after`

// A one-shot: the minute it falls into; the microseconds into it are the record's detail.
std::uint32_t place_of_once(Instant at) {
  return kElsewhere | static_cast<std::uint32_t>(EventQueue::minute_of(at));
}
std::uint32_t detail_of_once(Instant at) {
  return static_cast<std::uint32_t>(at.micros() -
                                    EventQueue::minute_of(at) * EventQueue::kMicrosPerMinute);
}
Instant instant_of_once(const JobRecord& record) {
  const std::int64_t minute = record.place & ~kElsewhere;
  return Instant::from_micros(minute * EventQueue::kMicrosPerMinute + record.detail);
}

bool in_group(const JobRecord& record) {
  return (record.place & kElsewhere) == 0;
}

constexpr unsigned kSlotBits = 24;
constexpr std::uint32_t kSlotMask = (1U << kSlotBits) - 1;

PartitionId partition_of(std::uint32_t member) {
  return PartitionId(static_cast<std::uint8_t>(member >> kSlotBits));
}

}  // namespace

void DueTicks::clear() {
  for (auto& ticks : by_partition_) ticks.clear();
  for (auto& jobs : ended_) jobs.clear();
  size_ = 0;
}

Timetable::Member Timetable::member_at(PartitionId partition, std::uint32_t slot) {
  return std::uint32_t{partition.value()} << kSlotBits | slot;
}

JobRecord& Timetable::record_of(Member member) {
  return tables_[partition_of(member).value()][member & kSlotMask];
}

// Null for an address that is no longer used.
const JobRecord* Timetable::find_record(Member member) const {
  const JobTable& table = tables_[partition_of(member).value()];
  const std::uint32_t slot = member & kSlotMask;
  return slot < table.slot_count() ? &table[slot] : nullptr;
}

bool Timetable::put(PartitionId partition, const Job& job) {
  remove(partition, job.id);
  return insert(partition, job);
}

bool Timetable::remove(PartitionId partition, JobId id) {
  JobTable& table = tables_[partition.value()];
  const std::uint32_t slot = table.find(id);
  if (slot == JobTable::kNoSlot) return false;
  detach(member_at(partition, slot));
  table.erase(slot);
  return true;
}

void Timetable::load(PartitionId partition, std::span<const Job> jobs) {
  JobTable& table = tables_[partition.value()];
  BELFRY_ASSERT(table.size() == 0);
  table.reserve(jobs.size());
  for (const Job& job : jobs) insert(partition, job);
}

bool Timetable::load(PartitionId partition, const Rhythm& rhythm, std::span<const JobId> jobs) {
  BELFRY_ASSERT(!std::holds_alternative<OnceRule>(rhythm.rule()));
  const std::uint32_t index = group_for(rhythm);
  if (!groups_[index]->next) {
    if (groups_[index]->members.empty()) drop_group(index);
    return false;
  }
  JobTable& table = tables_[partition.value()];
  std::vector<Member>& members = groups_[index]->members;
  for (const JobId id : jobs) {
    const std::uint32_t slot = table.insert(id);
    table[slot].place = index;
    table[slot].detail = static_cast<std::uint32_t>(members.size());
    members.push_back(member_at(partition, slot));
  }
  return true;
}

void Timetable::drop(PartitionId partition) {
  JobTable& table = tables_[partition.value()];
  for (std::uint32_t slot = 0; slot < table.slot_count(); ++slot) {
    if (table[slot].place != JobRecord::kFree) detach(member_at(partition, slot));
  }
  table.clear();
}

bool Timetable::insert(PartitionId partition, const Job& job) {
  const Instant after = std::max(job.after, cursor_);
  const bool is_once = std::holds_alternative<OnceRule>(job.rhythm->rule());
  if (is_once && job.rhythm->options().calendar == nullptr) {
    const auto only = job.rhythm->next(after);
    if (!only || only->tick.instant() > job.until) return false;
    insert_once(partition, job.id, only->tick);
    return true;
  }
  const bool ends = job.until != Instant::max();
  const bool waits = after > cursor_;
  if (ends || waits) {
    const auto first = job.rhythm->next(after);
    if (!first || first->tick.instant() > job.until) return false;
  }
  const Member member = member_at(partition, tables_[partition.value()].insert(job.id));
  if (ends || waits) {
    Terms& terms = terms_[member];
    terms = {.waiting = std::nullopt, .after = after, .until = job.until};
    if (waits) terms.waiting = *job.rhythm;
  }
  if (ends) events_.push({job.until, EventKind::kLeave, member});
  if (waits) {
    record_of(member).place = kWaiting;
    events_.push({after, EventKind::kJoin, member});
  } else {
    join(member, *job.rhythm);
    // What all members of a group have in common was computed with the first.
    if (!groups_[record_of(member).place]->next) {
      remove(partition, job.id);
      return false;
    }
  }
  return true;
}

void Timetable::insert_once(PartitionId partition, JobId id, Tick tick) {
  const Member member = member_at(partition, tables_[partition.value()].insert(id));
  JobRecord& record = record_of(member);
  record.place = place_of_once(tick.instant());
  record.detail = detail_of_once(tick.instant());
  events_.push({tick.instant(), EventKind::kOnce, member});
}

// Takes a job out of everything that points to it; its record is left for the caller to free.
void Timetable::detach(Member member) {
  JobRecord& record = record_of(member);
  const JobRecord before = record;
  if (in_group(before)) leave_group(member);
  record.place = JobRecord::kFree;
  const auto found = terms_.find(member);
  const std::optional<Terms> terms =
      found == terms_.end() ? std::nullopt : std::optional(std::move(found->second));
  if (terms) terms_.erase(found);
  // From here on the job's events are dead, so the queue may sweep them.
  if (terms && terms->until != Instant::max()) cancel(terms->until, EventKind::kLeave);
  if (terms && before.place == kWaiting) {
    cancel(terms->after, EventKind::kJoin);
  } else if (!in_group(before)) {
    cancel(instant_of_once(before), EventKind::kOnce);
  }
}

void Timetable::join(Member member, const Rhythm& rhythm) {
  const std::uint32_t index = group_for(rhythm);
  std::vector<Member>& members = groups_[index]->members;
  JobRecord& record = record_of(member);
  record.place = index;
  record.detail = static_cast<std::uint32_t>(members.size());
  members.push_back(member);
}

void Timetable::leave_group(Member member) {
  const JobRecord& record = record_of(member);
  std::vector<Member>& members = groups_[record.place]->members;
  members[record.detail] = members.back();
  record_of(members[record.detail]).detail = record.detail;
  members.pop_back();
  if (members.empty()) drop_group(record.place);
}

std::uint32_t Timetable::group_for(const Rhythm& rhythm) {
  if (const auto known = group_of_.find(&rhythm); known != group_of_.end()) return known->second;
  auto index = static_cast<std::uint32_t>(groups_.size());
  if (free_groups_.empty()) {
    BELFRY_ASSERT(index < kElsewhere);
    groups_.push_back(std::make_unique<Group>(rhythm));
  } else {
    index = free_groups_.back();
    free_groups_.pop_back();
    groups_[index] = std::make_unique<Group>(rhythm);
  }
  group_of_.emplace(&groups_[index]->rhythm, index);
  plan_next(index);
  return index;
}

void Timetable::drop_group(std::uint32_t index) {
  group_of_.erase(&groups_[index]->rhythm);
  heap_.remove(index);
  groups_[index].reset();
  free_groups_.push_back(index);
}

void Timetable::plan_next(std::uint32_t index) {
  Group& group = *groups_[index];
  group.next = group.rhythm.next(cursor_);
  if (group.next) {
    heap_.set(index, group.next->tick.instant());
  } else {
    heap_.remove(index);
  }
}

std::optional<Instant> Timetable::next_wakeup() const {
  const std::optional<Instant> event = events_.next_at();
  if (heap_.empty()) return event;
  return event ? std::min(*event, heap_.top().at) : heap_.top().at;
}

// Ticks and events in the order of their instants, ticks of groups first: a job that leaves at an
// instant still has the tick of that instant, one that joins has not.
void Timetable::pop_due(Instant until, DueTicks& due) {
  while (const std::optional<Instant> at = next_wakeup()) {
    if (*at > until) break;
    cursor_ = std::max(cursor_, *at);
    if (!heap_.empty() && heap_.top().at == *at) {
      tick_group(heap_.top().group, due);
    } else {
      handle(events_.pop(), due);
    }
  }
  cursor_ = std::max(cursor_, until);
}

void Timetable::tick_group(std::uint32_t index, DueTicks& due) {
  const Group& group = *groups_[index];
  BELFRY_ASSERT(group.next.has_value());  // it stood in the heap
  const Occurrence occurrence = *group.next;
  for (const Member member : group.members) {
    due.add(partition_of(member),
            {record_of(member).id, occurrence.tick, occurrence.exclusion, occurrence.delay});
  }
  plan_next(index);
  if (!group.next) end_group(index, due);
}

void Timetable::end_group(std::uint32_t index, DueTicks& due) {
  const std::vector<Member> members = groups_[index]->members;  // removing them changes the list
  for (const Member member : members) {
    const JobId job = record_of(member).id;
    due.end(partition_of(member), job);
    remove(partition_of(member), job);
  }
}

bool Timetable::is_live(const Event& event) const {
  const JobRecord* record = find_record(event.member);
  if (record == nullptr) return false;
  if (event.kind == EventKind::kOnce) {
    return record->place == place_of_once(event.at) && record->detail == detail_of_once(event.at);
  }
  const auto terms = terms_.find(event.member);
  if (terms == terms_.end()) return false;
  if (event.kind == EventKind::kLeave) return terms->second.until == event.at;
  return record->place == kWaiting && terms->second.after == event.at;
}

void Timetable::cancel(Instant at, EventKind kind) {
  events_.cancelled(at, kind, [this](const Event& event) { return is_live(event); });
}

void Timetable::handle(const Event& event, DueTicks& due) {
  if (!is_live(event)) return;
  events_.done(event);
  const PartitionId partition = partition_of(event.member);
  JobRecord& record = record_of(event.member);
  switch (event.kind) {
    case EventKind::kOnce:
      due.add(partition, {record.id, Tick(event.at)});
      due.end(partition, record.id);
      tables_[partition.value()].erase(event.member & kSlotMask);
      return;
    case EventKind::kJoin: {
      Terms& terms = terms_.at(event.member);
      if (terms.waiting) join(event.member, *terms.waiting);
      terms.waiting.reset();
      if (terms.until == Instant::max()) terms_.erase(event.member);
      return;
    }
    case EventKind::kLeave:
      due.end(partition, record.id);
      terms_.erase(event.member);
      if (in_group(record)) leave_group(event.member);
      tables_[partition.value()].erase(event.member & kSlotMask);
      return;
  }
}

void Timetable::for_each_rhythm(
    PartitionId partition,
    const std::function<void(const Rhythm&, std::span<const JobId>)>& visit) const {
  const JobTable& table = tables_[partition.value()];
  std::vector<std::pair<std::uint32_t, JobId>> by_group;
  by_group.reserve(table.size());
  for (std::uint32_t slot = 0; slot < table.slot_count(); ++slot) {
    if (in_group(table[slot])) by_group.emplace_back(table[slot].place, table[slot].id);
  }
  std::sort(by_group.begin(), by_group.end());
  std::vector<JobId> jobs;
  for (std::size_t i = 0; i < by_group.size(); ++i) {
    jobs.push_back(by_group[i].second);
    const bool last = i + 1 == by_group.size() || by_group[i + 1].first != by_group[i].first;
    if (!last) continue;
    visit(groups_[by_group[i].first]->rhythm, jobs);
    jobs.clear();
  }
}

std::vector<std::uint64_t> Timetable::forecast(Instant from, std::size_t minutes) const {
  ForecastWindow window(EventQueue::minute_of(from), minutes);
  for (const auto& group : groups_) {
    if (!group) continue;
    const auto jobs = static_cast<std::int64_t>(group->members.size());
    window.add(group->rhythm, jobs, cursor_, Instant::max());
  }
  const std::int64_t first = window.first_minute();
  const std::int64_t last = first + static_cast<std::int64_t>(minutes);
  events_.for_each_minute(first, last, [&](std::int64_t minute, std::size_t once) {
    window.add_at(minute, static_cast<std::int64_t>(once));
  });
  // Jobs that join or leave within the window: each once, although a cancelled and renewed event
  // may lie in the queue twice.
  std::vector<Member> bounded;
  events_.for_each_event(first, last, [&](const Event& event) {
    if (event.kind != EventKind::kOnce && is_live(event)) bounded.push_back(event.member);
  });
  std::sort(bounded.begin(), bounded.end());
  bounded.erase(std::unique(bounded.begin(), bounded.end()), bounded.end());
  for (const Member member : bounded) {
    const Terms& terms = terms_.at(member);
    if (terms.waiting) {
      window.add(*terms.waiting, 1, terms.after, terms.until);
    } else {
      window.add(groups_[find_record(member)->place]->rhythm, -1, terms.until, Instant::max());
    }
  }
  return window.take();
}

std::size_t Timetable::job_count() const {
  std::size_t count = 0;
  for (const JobTable& table : tables_) count += table.size();
  return count;
}

}  // namespace belfry::core
