#pragma once

#include "base/result.h"
#include "core/schedule/schedule_cache.h"
#include "engine/loading/loaded_partition.h"
#include "store/decisions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace belfry::engine {

// Reads the jobs of partitions, and each definition that they share once. For one thread.
class PartitionReader {
 public:
  PartitionReader(store::DecisionStore& store, core::ZoneCatalog& zones)
      : store_(store), schedules_(zones) {}

  Result<LoadedPartition> read(PartitionNo partition);
  // What store_.load_changes has, all of it as newcomers, jobs of one instant and whole jobs.
  Result<std::vector<std::optional<LoadedPartition>>> read_changes(
      std::span<const store::KnownJobs> known);

 private:
  struct Known {
    std::shared_ptr<const SharedTerms> terms;  // null: the definition does not compile
    // The first tick after any instant of [from, next).
    Instant from;
    std::optional<Instant> next;
    // Which group of the partition that is being read, if it is that one.
    std::uint64_t reading = 0;
    std::uint32_t group = 0;
  };

  Result<bool> learn(std::span<const store::BriefJob> jobs);
  LoadedPartition sort(const store::BriefPartition& brief);
  Result<LoadedPartition> sort_changes(store::BriefPartition changes);
  static std::optional<Instant> first_tick(Known& known, Instant after);

  store::DecisionStore& store_;
  core::ScheduleCache schedules_;
  std::unordered_map<core::Terms, Known> known_;
  std::uint64_t reading_ = 0;
};

}  // namespace belfry::engine
