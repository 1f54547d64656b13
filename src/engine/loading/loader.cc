#include "engine/loading/loader.h"

#include <algorithm>
#include <utility>

namespace belfry::engine {

void Loader::need(std::vector<PartitionNo> partitions) {
  bool work = false;
  {
    const MutexLock lock(mutex_);
    if (needed_ == partitions) return;
    needed_ = std::move(partitions);
    work = next().has_value();
  }
  if (work && on_work_) on_work_();
}

void Loader::plan(std::vector<PartitionNo> partitions) {
  bool work = false;
  {
    const MutexLock lock(mutex_);
    if (planned_ == partitions) return;
    planned_ = std::move(partitions);
    forget_others();
    work = next().has_value();
  }
  if (work && on_work_) on_work_();
}

void Loader::forget_others() {
  std::erase_if(read_, [&](const auto& entry) BELFRY_REQUIRES(mutex_) {
    return std::ranges::find(needed_, entry.first) == needed_.end() &&
           std::ranges::find(planned_, entry.first) == planned_.end();
  });
}

std::optional<PartitionNo> Loader::next() const {
  const auto is_open = [&](PartitionNo partition) BELFRY_REQUIRES(mutex_) {
    return !read_.contains(partition) && !reading_.contains(partition);
  };
  const auto open = std::ranges::count_if(needed_, is_open);
  if (needed_.size() - static_cast<std::size_t>(open) < kMostWaiting) {
    const auto found = std::ranges::find_if(needed_, is_open);
    if (found != needed_.end()) return *found;
  }
  const auto found = std::ranges::find_if(planned_, is_open);
  return found == planned_.end() ? std::nullopt : std::optional(*found);
}

bool Loader::has_work() const {
  const MutexLock lock(mutex_);
  return next().has_value();
}

Result<bool> Loader::run_once(PartitionReader& reader) {
  std::optional<PartitionNo> partition;
  {
    const MutexLock lock(mutex_);
    partition = next();
    if (!partition) return false;
    reading_.insert(*partition);
  }
  auto loaded = reader.read(*partition);
  {
    const MutexLock lock(mutex_);
    reading_.erase(*partition);
    if (loaded) read_.insert_or_assign(*partition, std::move(*loaded));
    forget_others();
  }
  if (!loaded) return fail(loaded.error());
  if (on_loaded_) on_loaded_();
  return true;
}

std::optional<LoadedPartition> Loader::fetch(PartitionNo partition) {
  std::optional<LoadedPartition> loaded;
  bool work = false;
  {
    const MutexLock lock(mutex_);
    const auto found = read_.find(partition);
    if (found == read_.end()) return std::nullopt;
    loaded = std::move(found->second);
    read_.erase(found);
    std::erase(needed_, partition);
    std::erase(planned_, partition);
    work = next().has_value();
  }
  if (work && on_work_) on_work_();
  return loaded;
}

bool Loader::has_needed() const {
  const MutexLock lock(mutex_);
  return std::ranges::any_of(needed_, [&](PartitionNo partition) BELFRY_REQUIRES(mutex_) {
    return read_.contains(partition);
  });
}

std::vector<PartitionNo> Loader::ready() const {
  const MutexLock lock(mutex_);
  std::vector<PartitionNo> ready;
  for (const PartitionNo partition : planned_) {
    if (read_.contains(partition)) ready.push_back(partition);
  }
  return ready;
}

}  // namespace belfry::engine
