#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Housekeeping, done by the leader.
namespace belfry::store {

class ChoreStore {
 public:
  virtual ~ChoreStore() = default;

  // The number of a region, made on first mention together with its partitions.
  virtual Result<RegionNo> put_region(const std::string& name) = 0;
  struct Region {
    RegionNo no;
    std::string name;
  };
  virtual Result<std::vector<Region>> list_regions() = 0;

  // Makes room for the history to come and drops what is older than `retention`. Idempotent.
  // Past runs stay where somebody else drops them: store/history_days.h.
  enum class PastRuns : std::uint8_t { kDrop, kLeave };
  virtual Status keep_history(Duration retention, PastRuns past) = 0;
  Status keep_history(Duration retention) { return keep_history(retention, PastRuns::kDrop); }

  // After a restore from a backup: what was promised since the backup was made is void. Epochs,
  // fences and the ids of jobs begin beyond all that can have been given out, nobody owns or leads,
  // and the leases of running attempts end now. kConflict while a node is alive.
  virtual Status begin_anew() = 0;

  // Makes jobs active whose pauses are over, up to `most` of them. Everybody takes such a pause for
  // over anyway; this keeps them from piling up. A pause stays until the ticks that it covers are
  // decided, so that whoever decides them knows of it. Returns how many there were.
  virtual Result<std::size_t> end_pauses(std::size_t most) = 0;

  // Skips are not ordered by age, because a range grows for as long as its job is skipped. So each
  // call looks at `most` of them after `after`, and drops those that ended before the retention.
  // Returns the last one it looked at, to go on after; none when there are no more.
  struct SkipCursor {
    JobId job;
    Tick first = Tick(Instant());
  };
  virtual Result<std::optional<SkipCursor>> sweep_skips(const SkipCursor& after, Duration retention,
                                                        std::size_t most) = 0;
};

}  // namespace belfry::store
