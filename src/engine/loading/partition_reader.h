#pragma once

#include "base/result.h"
#include "core/schedule/schedule_cache.h"
#include "engine/loading/loaded_partition.h"
#include "store/decisions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace belfry::engine {

// Reads the jobs of partitions, and each definition that they share once. For one thread.
class PartitionReader {
 public:
  PartitionReader(store::DecisionStore& store, core::ZoneCatalog& zones)
      : store_(store), schedules_(zones) {}

  Result<LoadedPartition> read(PartitionNo partition);

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

  Result<bool> learn(const std::vector<store::BriefJob>& jobs);
  LoadedPartition sort(const store::BriefPartition& brief);
  static std::optional<Instant> first_tick(Known& known, Instant after);

  store::DecisionStore& store_;
  core::ScheduleCache schedules_;
  std::unordered_map<core::Terms, Known> known_;
  std::uint64_t reading_ = 0;
};

}  // namespace belfry::engine
