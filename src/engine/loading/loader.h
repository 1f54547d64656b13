#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "engine/loading/loaded_partition.h"
#include "engine/loading/partition_reader.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace belfry::engine {

// Reads partitions beside the ticker, so that what is loaded ticks while the rest is read: those
// that the node owns and cannot decide for yet, then those that it is about to take. Nothing
// depends on the latter having been read; it only saves the time between taking and deciding.
//
// Any number of threads may call run_once, each with a reader of its own.
class Loader {
 public:
  // Read and not fetched yet; more are not read ahead of a ticker that cannot keep up.
  static constexpr std::size_t kMostWaiting = 12;

  // `call` is called, from the thread that reads, whenever a partition has been read. Set it first.
  void on_loaded(std::function<void()> call) { on_loaded_ = std::move(call); }
  // ... and this one when there is something to read.
  void on_work(std::function<void()> call) { on_work_ = std::move(call); }

  // What the ticker waits for, in this order; replaces what it waited for before.
  void need(std::vector<PartitionNo> partitions);
  // What the node is going to take, in this order. What was read and is neither needed nor planned
  // any more is forgotten.
  void plan(std::vector<PartitionNo> partitions);

  // Reads the next one. False when there is nothing to read.
  Result<bool> run_once(PartitionReader& reader);
  bool has_work() const;

  // A partition that has been read.
  std::optional<LoadedPartition> fetch(PartitionNo partition);
  // Whether one that is needed has been read.
  bool has_needed() const;
  // Those of the plan that have been read.
  std::vector<PartitionNo> ready() const;

 private:
  std::optional<PartitionNo> next() const BELFRY_REQUIRES(mutex_);
  void forget_others() BELFRY_REQUIRES(mutex_);

  std::function<void()> on_loaded_;
  std::function<void()> on_work_;
  mutable Mutex mutex_;
  std::vector<PartitionNo> needed_ BELFRY_GUARDED_BY(mutex_);
  std::vector<PartitionNo> planned_ BELFRY_GUARDED_BY(mutex_);
  std::set<PartitionNo> reading_ BELFRY_GUARDED_BY(mutex_);
  std::map<PartitionNo, LoadedPartition> read_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::engine
