#include "engine/ticks/tick_watch.h"

#include <algorithm>
#include <set>

namespace belfry::engine {
namespace {

void take(std::optional<TickWatch::Oldest>& oldest, Instant tick, PartitionNo partition) {
  if (!oldest || tick < oldest->tick) oldest = {tick, partition};
}

}  // namespace

bool TickWatch::is_known(const store::Overview::Partition& partition) const {
  const auto found = seen_.find(partition.partition);
  return found != seen_.end() && found->second.cursor == partition.decided_through &&
         found->second.version == partition.version;
}

Status TickWatch::read(const store::Overview::Partition& partition) {
  BELFRY_TRY(loaded, reader_.read(partition.partition));
  seen_[partition.partition] = {.cursor = loaded.decided_through,
                                .version = loaded.version,
                                .first = first_tick_of(loaded, schedules_)};
  return {};
}

Result<TickWatch::Report> TickWatch::look(const store::Overview& overview, const Incarnation& self,
                                          Duration patience) {
  std::set<Incarnation> alive;
  for (const auto& node : overview.nodes) {
    if (node.lease_until > overview.now) alive.insert(node.incarnation);
  }
  Report report;
  const BootInstant give_up = clock_.boot_now() + patience;
  const MutexLock lock(mutex_);
  for (const auto& partition : overview.partitions) {
    if (partition.owner == self && alive.contains(self)) continue;
    if (overview.now - partition.decided_through < kRests) continue;
    if (!is_known(partition)) {
      if (clock_.boot_now() >= give_up) {
        report.complete = false;
        continue;
      }
      BELFRY_CHECK(read(partition));
    }
    const auto& first = seen_.at(partition.partition).first;
    if (!first || *first > overview.now) continue;
    const bool is_owned = partition.owner && alive.contains(*partition.owner);
    take(is_owned ? report.owned : report.orphaned, *first, partition.partition);
  }
  return report;
}

}  // namespace belfry::engine
