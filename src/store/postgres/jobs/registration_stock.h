#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "store/postgres/jobs/new_jobs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace belfry::store::postgres {

// What a registration has to know before it can write: serials for its jobs, the types of their
// rows, the time. One draws it for the next, which then takes a single round trip. Thread-safe.
class RegistrationStock {
 public:
  // The clock must outlive the stock.
  explicit RegistrationStock(const Clock& clock) : clock_(clock) {}

  struct Drawn {
    std::vector<std::uint64_t> serials;
    RowTypes types;
    Instant now;  // the database's time; never ahead of it
  };
  // For so many jobs. None: there is not enough, or it was drawn too long ago.
  std::optional<Drawn> take(std::size_t jobs);

  // Whether somebody should draw more, with what he writes anyway.
  bool is_low() const;
  static Statement draw(std::optional<Instant> now);
  void put(const Reply& drawn);
  // What was drawn before counts for nothing any more.
  void drop();

 private:
  bool is_fresh() const BELFRY_REQUIRES(mutex_);

  const Clock& clock_;
  mutable Mutex mutex_;
  Drawn left_ BELFRY_GUARDED_BY(mutex_);
  BootInstant drawn_at_ BELFRY_GUARDED_BY(mutex_) = BootInstant::min();
};

}  // namespace belfry::store::postgres
