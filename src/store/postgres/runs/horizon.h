#pragma once

#include "base/mutex.h"
#include "base/time.h"

#include <optional>

namespace belfry::store::postgres {

// How far back claims have to look. A transaction that somebody leaves open keeps the server from
// cleaning up after runs that are gone, and a claim that begins with the oldest wades through all
// of them. While that is so, and nothing old waits, claims look only at what is new. A run that
// might be overlooked (its commit took long) is found by the next whole look, some seconds later;
// without fresh reports claims look at everything. Thread-safe.
class Horizon {
 public:
  // A look for the oldest waiting run. A whole one has to wade itself, so it is rare; those in
  // between begin at the horizon and move it on.
  struct Look {
    std::optional<Instant> since;  // none: a whole one
  };
  // The look that is due; none for a while after a whole one that took long, unless there is a
  // horizon: looking must not become the load itself.
  std::optional<Look> next_look(BootInstant now) const;

  // What a look has found, and how long it took.
  struct Report {
    Look look;
    BootInstant at;  // on the caller's clock, when the look began
    Duration took{};
    Instant now;                    // the database's clock
    std::optional<Instant> oldest;  // since when the oldest waiting run can be claimed
  };
  void report(const Report& report);

  // No run has waited since before this time; none: look at everything.
  std::optional<Instant> since(BootInstant now) const;

 private:
  mutable Mutex mutex_;
  std::optional<Instant> since_ BELFRY_GUARDED_BY(mutex_);
  BootInstant until_ BELFRY_GUARDED_BY(mutex_);
  BootInstant next_whole_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::store::postgres
