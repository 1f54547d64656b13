#include "core/book/run_book.h"

#include <algorithm>
#include <unordered_set>

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
           .queue = number_of(run),
           .type = number_of(run.type.empty() ? run.queue : run.type),
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

QueueNo RunBook::number_of(const std::string& name) {
  const auto [found, is_new] = numbers_.try_emplace(name);
  if (is_new) found->second = ++last_number_;
  return found->second;
}

QueueNo RunBook::number_of(const LiveRun& run) {
  const QueueNo anywhere = number_of(run.queue);
  if (!run.region) return anywhere;
  const auto [found, is_new] = in_regions_.try_emplace({anywhere, *run.region});
  if (is_new) found->second = ++last_number_;
  return found->second;
}

std::vector<QueueNo> RunBook::known_numbers(const Wish& wish) const {
  std::vector<QueueNo> numbers;
  for (const std::string& queue : wish.queues) {
    const auto anywhere = numbers_.find(queue);
    if (anywhere == numbers_.end()) continue;
    numbers.push_back(anywhere->second);
    const auto here = in_regions_.find({anywhere->second, wish.region});
    if (here != in_regions_.end()) numbers.push_back(here->second);
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

RunBook::LaneKey RunBook::lane_of(const Entry& entry) const {
  const bool own = !limited_.empty() && limited_.contains({entry.tenant, entry.type});
  return {entry.queue, entry.tenant, own ? entry.type : kUnlimited};
}

bool RunBook::is_open(const LaneKey& lane) const {
  const auto& [queue, tenant, type] = lane;
  return type == kUnlimited || !limited_.at({tenant, type}).shut;
}

// A tenant has turns in a queue while one of its lanes there is open.
void RunBook::open_lane(const LaneKey& lane) {
  const auto& [queue, tenant, type] = lane;
  if (++open_lanes_[{queue, tenant}] == 1) turns_.enter(queue, tenant);
}

void RunBook::shut_lane(const LaneKey& lane) {
  const auto& [queue, tenant, type] = lane;
  const auto open = open_lanes_.find({queue, tenant});
  if (--open->second > 0) return;
  open_lanes_.erase(open);
  turns_.leave(queue, tenant);
}

void RunBook::enter_lane(const RunRef& run, const Entry& entry) {
  const LaneKey key = lane_of(entry);
  Lane& lane = lanes_[key];
  if (lane.empty()) {
    const auto& [queue, tenant, type] = key;
    if (type != kUnlimited) limited_.at({tenant, type}).queues.insert(queue);
    if (is_open(key)) open_lane(key);
  }
  lane.insert({-entry.priority, entry.due, run});
}

void RunBook::leave_lane(const RunRef& run, const Entry& entry) {
  const LaneKey key = lane_of(entry);
  const auto lane = lanes_.find(key);
  lane->second.erase({-entry.priority, entry.due, run});
  if (!lane->second.empty()) return;
  lanes_.erase(lane);
  const auto& [queue, tenant, type] = key;
  if (type != kUnlimited) limited_.at({tenant, type}).queues.erase(queue);
  if (is_open(key)) shut_lane(key);
}

void RunBook::become_due(Instant now) {
  now_ = std::max(now_, now);
  while (!aside_.empty() && aside_.begin()->first <= now_) {
    const TypeKey type = aside_.begin()->second;
    put_aside(type, limited_.at(type), std::nullopt);
  }
  while (!later_.empty() && later_.begin()->first <= now_) {
    const RunRef run = later_.begin()->second;
    Entry& entry = *find(run);
    displace(run, entry);
    place(run, entry, Where::kLane);
  }
}

const RunBook::Lane* RunBook::best_lane(std::span<const QueueNo> queues, TenantId tenant) const {
  const Lane* best = nullptr;
  for (const QueueNo queue : queues) {
    const auto end = lanes_.upper_bound({queue, tenant, kUnlimited});
    for (auto found = lanes_.lower_bound({queue, tenant, 0}); found != end; ++found) {
      if (!is_open(found->first)) continue;
      if (best == nullptr || *found->second.begin() < *best->begin()) best = &found->second;
    }
  }
  return best;
}

std::vector<RunBook::Picked> RunBook::pick(const Wish& wish, Instant now) {
  become_due(now);
  std::vector<Picked> picked;
  const std::vector<QueueNo> queues = known_numbers(wish);
  std::map<TypeKey, std::size_t> of_limited;
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
    const auto limited = limited_.find({*tenant, entry.type});
    if (limited == limited_.end()) continue;
    const bool is_all = ++of_limited[limited->first] == most_at_once(limited->second.limits);
    if (is_all) set_shut(limited->first, limited->second, true);
  }
  for (const auto& [type, count] : of_limited) set_shut(type, limited_.at(type), false);
  put_back_accompanied(picked);
  return picked;
}

// A job with a limit has exclusive runs beside others. The store grants what is picked at one
// stroke, and does not see then that they would run side by side.
void RunBook::put_back_accompanied(std::vector<Picked>& picked) {
  std::unordered_set<JobId> others;
  for (const Picked& each : picked) {
    if (!find(each.run)->exclusive) others.insert(each.run.job);
  }
  if (others.empty()) return;
  std::erase_if(picked, [&](const Picked& each) {
    const bool is_accompanied = find(each.run)->exclusive && others.contains(each.run.job);
    if (is_accompanied) put_back(each.run);
    return is_accompanied;
  });
}

bool RunBook::offers(const Wish& wish, Instant now) {
  become_due(now);
  const std::vector<QueueNo> queues = known_numbers(wish);
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
  std::optional<Instant> next;
  if (!later_.empty()) next = later_.begin()->first;
  if (!aside_.empty()) next = std::min(next.value_or(Instant::max()), aside_.begin()->first);
  return next;
}

const LiveRun::Held* RunBook::holder_of(const RunRef& run) const {
  const Entry* entry = find(run);
  return entry != nullptr && entry->where == Where::kHeld ? &entry->held : nullptr;
}

}  // namespace belfry::core
