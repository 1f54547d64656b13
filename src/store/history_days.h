#pragma once

#include "base/result.h"
#include "base/time.h"
#include "store/runs.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

// History by the day (UTC) on which runs ended: for the leader that archives it before it goes.
namespace belfry::store {

class HistoryStore {
 public:
  virtual ~HistoryStore() = default;

  // The first day of which there is something, if all of it is older than `retention`.
  virtual Result<std::optional<std::chrono::sys_days>> oldest_day(Duration retention) = 0;

  // Where a page ended.
  struct DayPlace {
    core::RunRef run;
    Instant scheduled_for;
    Instant finished_at;
  };
  // Runs that ended on this day, with their results and all else that list_runs gives, at most
  // `most` after `after`. In an order of the store's own, always the same. Empty: no more.
  virtual Result<std::vector<RunRow>> runs_of_day(std::chrono::sys_days day,
                                                  const std::optional<DayPlace>& after,
                                                  std::size_t most) = 0;

  // Drops what ended on this day, attempts included, if exactly `runs` runs did; kConflict, and
  // nothing changed, if there are more or fewer than the caller has seen. Repeating it after a lost
  // reply is harmless: read the day again first.
  virtual Status drop_day(std::chrono::sys_days day, std::size_t runs) = 0;
};

}  // namespace belfry::store
