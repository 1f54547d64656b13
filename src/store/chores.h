#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// Keeping house; the leader's work.
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

  // Makes room ahead for history and drops what is older than `retention`. Idempotent.
  virtual Status keep_history(Duration retention) = 0;

  // Skips have no order of age: a range grows for as long as its job is skipped. So they are looked
  // at in turn, `most` of them after `after`, and those that ended before the retention are
  // dropped. Returns the last one looked at, to go on after; nothing when there are no more.
  struct SkipCursor {
    JobId job;
    Tick first = Tick(Instant());
  };
  virtual Result<std::optional<SkipCursor>> sweep_skips(const SkipCursor& after, Duration retention,
                                                        std::size_t most) = 0;
};

}  // namespace belfry::store
