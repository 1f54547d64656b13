// Types with limits: which are put aside, and for how long.
#include "core/book/run_book.h"

namespace belfry::core {

void RunBook::set_shut(const TypeKey& type, Limited& limited, bool shut) {
  if (std::exchange(limited.shut, shut) == shut) return;
  for (const QueueNo queue : limited.queues) {
    const LaneKey lane{queue, type.first, type.second};
    shut ? shut_lane(lane) : open_lane(lane);
  }
}

std::vector<RunRef> RunBook::in_lanes_of(const std::set<TypeKey>& types) const {
  std::vector<RunRef> runs;
  for (const auto& [partition, entries] : partitions_) {
    for (const auto& [run, entry] : entries) {
      if (!types.contains({entry.tenant, entry.type})) continue;
      const auto lane = lanes_.find(lane_of(entry));
      const bool waits = entry.where == Where::kLane || entry.where == Where::kLine;
      if (waits && lane != lanes_.end() && lane->second.contains({-entry.priority, entry.due, run}))
        runs.push_back(run);
    }
  }
  return runs;
}

// Runs of types that got limits, or have none any more, change their lanes.
void RunBook::set_limits(std::span<const TypeLimit> limits) {
  std::map<TypeKey, TypeLimits> now;
  for (const TypeLimit& limit : limits) {
    now.emplace(TypeKey(limit.tenant, number_of(limit.type)), limit.limits);
  }
  std::set<TypeKey> moved;
  for (const auto& [type, limited] : limited_) {
    if (!now.contains(type)) moved.insert(type);
  }
  for (auto& [type, limit] : now) {
    const auto known = limited_.find(type);
    if (known == limited_.end()) {
      moved.insert(type);
    } else if (known->second.limits != limit) {  // there may be room now
      known->second.limits = limit;
      put_aside(type, known->second, std::nullopt);
    }
  }
  if (moved.empty()) return;
  const std::vector<RunRef> runs = in_lanes_of(moved);
  for (const RunRef& run : runs) leave_lane(run, *find(run));
  for (const TypeKey& type : moved) {
    const auto known = limited_.find(type);
    if (known == limited_.end()) {
      limited_.emplace(type, Limited{.limits = now.at(type)});
    } else {
      put_aside(type, known->second, std::nullopt);
      limited_.erase(known);
    }
  }
  for (const RunRef& run : runs) enter_lane(run, *find(run));
}

std::optional<Duration> RunBook::wait_for_room(TenantId tenant, const std::string& type) const {
  const auto number = numbers_.find(type);
  if (number == numbers_.end()) return std::nullopt;
  const auto limited = limited_.find({tenant, number->second});
  if (limited == limited_.end()) return std::nullopt;
  return core::wait_for_room(limited->second.limits);
}

void RunBook::put_aside(const TypeKey& type, Limited& limited, std::optional<Instant> until) {
  if (limited.until) aside_.erase({*limited.until, type});
  limited.until = until;
  if (until) aside_.emplace(*until, type);
  set_shut(type, limited, until.has_value());
}

void RunBook::put_aside(TenantId tenant, const std::string& type, Instant until) {
  const TypeKey key(tenant, number_of(type));
  const auto limited = limited_.find(key);
  if (limited != limited_.end()) put_aside(key, limited->second, until);
}

// The end of a run makes no room for one that waits for its rate only.
void RunBook::bring_types_back() {
  for (auto& [type, limited] : limited_) {
    if (limited.until && limited.limits.max_concurrent > 0) put_aside(type, limited, std::nullopt);
  }
}

}  // namespace belfry::core
