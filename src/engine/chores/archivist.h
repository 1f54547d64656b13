#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "store/history_days.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace belfry::engine {

// Where past runs are kept when they leave the store.
class HistoryArchive {
 public:
  virtual ~HistoryArchive() = default;

  // Keeps all runs of a day; `next_page` gives them, and an empty page at the end. When this
  // returns, they are safe. The same runs may come again, after a crash.
  using Pages = std::function<Result<std::vector<store::RunRow>>()>;
  virtual Status keep(std::chrono::sys_days day, const Pages& next_page) = 0;
};

// Past runs go to the archive before they go from the store, a day at a time. What the archive has
// not taken stays in the store. Done by the leader; a former leader that wakes up does no harm: it
// drops only what it has archived itself, and only if that is all there is.
class Archivist {
 public:
  Archivist(store::HistoryStore& history, HistoryArchive& archive, const Clock& clock)
      : history_(history), archive_(archive), clock_(clock) {}

  // True: there may be more.
  Result<bool> run_once(Duration retention);

  // What the archive refuses, while it does. From any thread.
  struct Refusal {
    Error error;
    BootInstant since;
  };
  std::optional<Refusal> refusal() const;

 private:
  Result<std::size_t> archive_day(std::chrono::sys_days day);
  void note(const Status& kept);

  store::HistoryStore& history_;
  HistoryArchive& archive_;
  const Clock& clock_;
  mutable Mutex mutex_;
  std::optional<Refusal> refusal_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::engine
