#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
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
  virtual Status keep_history(Duration retention) = 0;

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
