#include "core/book/run_book.h"

#include <algorithm>

namespace belfry::core {

void RunBook::close(PartitionNo partition) {
  const auto found = partitions_.find(partition);
  if (found == partitions_.end()) return;
  for (auto& [run, entry] : found->second) displace(run, entry);
  size_ -= found->second.size();
  partitions_.erase(found);
}

RunBook::Entry* RunBook::find(const RunRef& run) {
  return const_cast<Entry*>(std::as_const(*this).find(run));
}

const RunBook::Entry* RunBook::find(const RunRef& run) const {
  const auto entries = partitions_.find(partition_of(run.job));
  if (entries == partitions_.end()) return nullptr;
  const auto found = entries->second.find(run);
  return found == entries->second.end() ? nullptr : &found->second;
}

void RunBook::put(const LiveRun& run) {
  const auto entries = partitions_.find(partition_of(run.run.job));
  if (entries != partitions_.end()) write(entries->second, run);
}

void RunBook::write(Entries& entries, const LiveRun& run) {
  const auto [found, is_new] = entries.try_emplace(run.run);
  Entry& entry = found->second;
  if (is_new) ++size_;
  if (entry.where == Where::kTaken && !run.held) return;  // whoever picked it will say
  displace(run.run, entry);
  entry = {.tenant = run.tenant,
           .queue = number_of(run.queue),
           .priority = run.priority,
           .exclusive = run.exclusive,
           .due = run.due,
           .start_by = run.start_by.value_or(Instant::max()),
           .held = run.held.value_or(LiveRun::Held{}),
           .changed = ++last_change_};
  place(run.run, entry, run.held ? Where::kHeld : Where::kLater);
}

void RunBook::remove(const RunRef& run) {
  Entry* entry = find(run);
  if (entry == nullptr) return;
  displace(run, *entry);
  partitions_.at(partition_of(run.job)).erase(run);
  --size_;
  ++last_change_;
}

void RunBook::compare(PartitionNo partition, std::span<const LiveRun> reading, Mark before) {
  const auto found = partitions_.find(partition);
  if (found == partitions_.end()) return;
  Entries& entries = found->second;
  const auto is_newer = [&](const RunRef& run) {
    const auto known = entries.find(run);
    return known != entries.end() && known->second.changed > before;
  };
  std::vector<RunRef> gone;
  std::set<RunRef> read;
  for (const LiveRun& run : reading) read.insert(run.run);
  for (const auto& [run, entry] : entries) {
    if (!read.contains(run) && entry.changed <= before) gone.push_back(run);
  }
  for (const RunRef& run : gone) remove(run);
  for (const LiveRun& run : reading) {
    if (!is_newer(run.run)) write(entries, run);
  }
}

QueueNo RunBook::number_of(const std::string& queue) {
  return queue_numbers_.try_emplace(queue, static_cast<QueueNo>(queue_numbers_.size()))
      .first->second;
}

std::vector<QueueNo> RunBook::known_numbers(std::span<const std::string> queues) const {
  std::vector<QueueNo> numbers;
  for (const std::string& queue : queues) {
    const auto found = queue_numbers_.find(queue);
    if (found != queue_numbers_.end()) numbers.push_back(found->second);
  }
  return numbers;
}

// Every change of an entry is displace, then place: no index ever has one that has moved on.
void RunBook::place(const RunRef& run, Entry& entry, Where where) {
  entry.where = where;
  if (where == Where::kLater && entry.due <= now_) entry.where = Where::kLane;
  if (entry.where == Where::kLane && entry.exclusive) entry.where = Where::kLine;
  switch (entry.where) {
    case Where::kNowhere: break;
    case Where::kLater:
      later_.emplace(entry.due, run);
      await_start(run, entry);
      break;
    case Where::kLane:
      enter_lane(run, entry);
      await_start(run, entry);
      break;
    case Where::kLine:
      await_start(run, entry);
      jobs_[run.job].line.emplace(entry.due, run);
      offer_next_of(run.job);
      break;
    case Where::kHeld:
      ends_.emplace(entry.held.until, run);
      if (entry.held.holder != Incarnation()) held_by_nodes_.emplace(entry.held.holder, run);
      [[fallthrough]];
    case Where::kTaken:
      if (!entry.exclusive) break;
      ++jobs_[run.job].in_hand;
      offer_next_of(run.job);
      break;
  }
}

void RunBook::await_start(const RunRef& run, const Entry& entry) {
  if (entry.start_by < soon_) starts_.emplace(entry.start_by, run);
}

void RunBook::displace(const RunRef& run, Entry& entry) {
  if (entry.start_by < soon_) starts_.erase({entry.start_by, run});
  switch (std::exchange(entry.where, Where::kNowhere)) {
    case Where::kNowhere: break;
    case Where::kLater: later_.erase({entry.due, run}); break;
    case Where::kLane: leave_lane(run, entry); break;
    case Where::kLine: {
      Job& job = jobs_.at(run.job);
      job.line.erase({entry.due, run});
      if (job.offered == run) {
        leave_lane(run, entry);
        job.offered.reset();
      }
      offer_next_of(run.job);
      break;
    }
    case Where::kHeld:
      ends_.erase({entry.held.until, run});
      held_by_nodes_.erase({entry.held.holder, run});
      [[fallthrough]];
    case Where::kTaken:
      if (!entry.exclusive) break;
      --jobs_.at(run.job).in_hand;
      offer_next_of(run.job);
      break;
  }
}

// The first of the line has a place in its lane while no run of the job is in anybody's hands.
void RunBook::offer_next_of(JobId id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return;
  Job& job = found->second;
  std::optional<RunRef> next;
  if (job.in_hand == 0 && !job.line.empty()) next = job.line.begin()->second;
  if (job.offered != next) {
    if (job.offered) leave_lane(*job.offered, *find(*job.offered));
    job.offered = next;
    if (next) enter_lane(*next, *find(*next));
  }
  if (job.in_hand == 0 && job.line.empty()) jobs_.erase(found);
}

void RunBook::enter_lane(const RunRef& run, const Entry& entry) {
  Lane& lane = lanes_[{entry.queue, entry.tenant}];
  if (lane.empty()) turns_.enter(entry.queue, entry.tenant);
  lane.insert({-entry.priority, entry.due, run});
}

void RunBook::leave_lane(const RunRef& run, const Entry& entry) {
  const auto lane = lanes_.find({entry.queue, entry.tenant});
  lane->second.erase({-entry.priority, entry.due, run});
  if (!lane->second.empty()) return;
  lanes_.erase(lane);
  turns_.leave(entry.queue, entry.tenant);
}

void RunBook::become_due(Instant now) {
  now_ = std::max(now_, now);
  while (!later_.empty() && later_.begin()->first <= now_) {
    const RunRef run = later_.begin()->second;
    Entry& entry = *find(run);
    displace(run, entry);
    place(run, entry, Where::kLane);
  }
}

RunBook::Lane* RunBook::best_lane(std::span<const QueueNo> queues, TenantId tenant) {
  Lane* best = nullptr;
  for (const QueueNo queue : queues) {
    const auto found = lanes_.find({queue, tenant});
    if (found == lanes_.end()) continue;
    if (best == nullptr || *found->second.begin() < *best->begin()) best = &found->second;
  }
  return best;
}

std::vector<RunBook::Picked> RunBook::pick(const Wish& wish, Instant now) {
  become_due(now);
  std::vector<Picked> picked;
  const std::vector<QueueNo> queues = known_numbers(wish.queues);
  while (picked.size() < wish.most) {
    std::optional<TenantId> tenant = wish.tenant;
    if (!tenant) tenant = turns_.next(queues);
    if (!tenant || turns_.is_aside(*tenant)) break;
    const Lane* lane = best_lane(queues, *tenant);
    if (lane == nullptr) break;
    const RunRef run = lane->begin()->run;
    Entry& entry = *find(run);
    displace(run, entry);
    place(run, entry, Where::kTaken);
    entry.changed = ++last_change_;
    turns_.took(*tenant);
    picked.push_back({run, *tenant});
  }
  return picked;
}

bool RunBook::offers(const Wish& wish, Instant now) {
  become_due(now);
  const std::vector<QueueNo> queues = known_numbers(wish.queues);
  if (!wish.tenant) return turns_.next(queues).has_value();
  return !turns_.is_aside(*wish.tenant) && best_lane(queues, *wish.tenant) != nullptr;
}

void RunBook::hold(const RunRef& run, const LiveRun::Held& held) {
  Entry* entry = find(run);
  if (entry == nullptr) return;
  displace(run, *entry);
  entry->held = held;
  entry->changed = ++last_change_;
  place(run, *entry, Where::kHeld);
}

void RunBook::put_back(const RunRef& run) {
  Entry* entry = find(run);
  if (entry == nullptr || entry->where != Where::kTaken) return;
  displace(run, *entry);
  entry->changed = ++last_change_;
  place(run, *entry, Where::kLater);
}

std::vector<RunRef> RunBook::overdue(Instant now, std::size_t most) const {
  std::vector<RunRef> runs;
  for (const auto& [until, run] : ends_) {
    if (until > now || runs.size() == most) break;
    runs.push_back(run);
  }
  return runs;
}

std::vector<RunRef> RunBook::unstarted(Instant now, std::size_t most) {
  constexpr Duration kNear = std::chrono::minutes(5);
  soon_ = std::max(soon_, now + kNear);
  std::vector<RunRef> runs;
  for (const auto& [start_by, run] : starts_) {
    if (start_by > now || runs.size() == most) break;
    runs.push_back(run);
  }
  return runs;
}

std::vector<RunRef> RunBook::held_by_others(const std::set<Incarnation>& nodes,
                                            std::size_t most) const {
  std::vector<RunRef> runs;
  auto held = held_by_nodes_.begin();
  while (held != held_by_nodes_.end() && runs.size() < most) {
    const Incarnation node = held->first;
    const auto end = held_by_nodes_.upper_bound({node, RunRef{JobId(~0ULL), RunKey(INT64_MAX)}});
    if (!nodes.contains(node)) {
      for (; held != end && runs.size() < most; ++held) runs.push_back(held->second);
    }
    held = end;
  }
  return runs;
}

std::optional<Instant> RunBook::next_due() const {
  return later_.empty() ? std::nullopt : std::optional(later_.begin()->first);
}

const LiveRun::Held* RunBook::holder_of(const RunRef& run) const {
  const Entry* entry = find(run);
  return entry != nullptr && entry->where == Where::kHeld ? &entry->held : nullptr;
}

}  // namespace belfry::core
