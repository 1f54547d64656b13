#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "store/bulk.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace belfry::store::postgres {

// Jobs that a batch of bulk work has selected and left to the next one, which would have to select
// them again. Not for long: what is selected should be what is there. Thread-safe.
class LeftOfPiece {
 public:
  struct Selected {
    SelectedJobs jobs;
    BootInstant at{};
  };

  // The clock must outlive it.
  explicit LeftOfPiece(const Clock& clock) : clock_(clock) {}

  // None where nothing was left, somebody else has done a batch since, or it is too long ago.
  std::optional<Selected> find(const BulkWork& work) const {
    const MutexLock lock(mutex_);
    const bool fits = work.id == work_ && work.cursor == cursor_ && !left_.jobs.jobs.empty();
    if (!fits || clock_.boot_now() - left_.at > kFresh) return {};
    return left_;
  }

  // `work` as it is after the batch.
  void keep(const BulkWork& work, Selected left) {
    const MutexLock lock(mutex_);
    work_ = work.id;
    cursor_ = work.cursor;
    left_ = std::move(left);
  }

 private:
  static constexpr Duration kFresh = std::chrono::seconds(1);

  const Clock& clock_;
  mutable Mutex mutex_;
  std::uint64_t work_ BELFRY_GUARDED_BY(mutex_) = 0;
  std::string cursor_ BELFRY_GUARDED_BY(mutex_);
  Selected left_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::store::postgres
