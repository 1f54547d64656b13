#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "worker/context.h"
#include "worker/transport.h"

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace belfry::worker {

// The runs a worker holds: when each has to beat, and how long it may be trusted. No threads, no
// I/O; thread-safe.
//
// A lease is trusted from the moment a beat was sent, not answered, and ends by our own clock: a
// worker that was frozen finds its leases lost before anybody tells it, and what was lost is
// never reported.
class Holdings {
 public:
  Holdings(const Clock& clock, Duration lease, Duration news_every)
      : clock_(clock), lease_(lease), news_every_(news_every) {}

  // Trusted from the moment of its grant, as the task tells its age.
  std::shared_ptr<Context> take(Task task);
  // Whether its lease was ours within the last third of it. A run whose lease was not may be
  // somebody else's by the time we begin: it has to beat first.
  bool is_fresh(const Grant& grant) const;

  // Cancels what is past its lease or deadline, and returns the runs that must beat now: after a
  // third of the lease, or sooner with news.
  std::vector<Heartbeat> due();
  BootInstant next_due() const;
  // Takes the answers to beats that were sent at `sent`. Returns the runs that are lost.
  std::vector<Grant> answered(std::span<const Heartbeat> beats,
                              std::span<const HeartbeatAnswer> answers, BootInstant sent);
  void not_answered(std::span<const Heartbeat> beats);

  // Whether a report on this run still counts, as far as we know.
  bool holds(const Grant& grant) const;
  void drop(const Grant& grant);

  void cancel(const Grant& grant, CancelReason reason);
  void cancel_all(CancelReason reason);
  std::size_t size() const;

 private:
  struct Held {
    std::shared_ptr<Context> context;
    BootInstant trusted_until;
    BootInstant beat_at;
    BootInstant news_at;  // earliest
    bool lost = false;
  };

  bool is_lost(const Held& held, BootInstant now) const BELFRY_REQUIRES(mutex_) {
    return held.lost || now >= held.trusted_until;
  }

  const Clock& clock_;
  const Duration lease_;
  const Duration news_every_;
  mutable Mutex mutex_;
  std::map<Grant, Held> held_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::worker
