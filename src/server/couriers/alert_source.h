#pragma once

#include "base/clock.h"
#include "base/condition.h"
#include "base/log/log.h"
#include "base/mutex.h"
#include "deliver/run_source.h"
#include "store/alerts.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>

namespace belfry::server {

// The messages of alerts as couriers see them: claimed under a fence for the length of a lease,
// held by heartbeats, tried again after a failure, later each time. A thread of its own talks to
// the store. The id that receivers see is the same at each attempt.
class AlertSource final : public deliver::RunSource {
 public:
  // `longest`: what a message may take from its claim on, before it is claimed again.
  AlertSource(store::AlertStore& store, const Clock& clock, Logger& log, Duration longest);
  ~AlertSource() override;

  void poke();  // there are new messages: it looks at once instead of soon

  Status claim(const std::string& queue, std::size_t most, Duration lease,
               OnDeliveries on_deliveries) override;
  bool withdraw() override;
  void complete(const core::RunGrant& grant, deliver::Outcome outcome,
                std::function<void(bool)> on_told) override;
  void heartbeat(std::vector<core::RunGrant> grants, Duration lease,
                 OnHeartbeat on_heartbeat) override;
  void give_back(std::vector<core::RunGrant> grants, Duration wait) override;

 private:
  struct Ask {
    std::string queue;
    std::size_t most = 0;
    Duration lease{};
    OnDeliveries on_deliveries;
    BootInstant until;
  };

  void loop();
  void look(const Ask& ask);
  bool give_up(const store::AlertMessageRow& message);
  void later(std::function<void()> task);
  deliver::Delivery delivery_of(store::AlertMessageRow message) const;
  store::AlertStore::AlertMessageEnd end_of(const core::RunGrant& grant,
                                            const deliver::Outcome& outcome);

  store::AlertStore& store_;
  const Clock& clock_;
  Logger& log_;
  const Duration longest_;
  Duration pause_;                                   // the thread's own: until it looks again
  std::map<std::uint64_t, std::uint32_t> attempts_;  // the thread's own: of messages in hand
  Mutex mutex_;
  Condition bell_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::optional<Ask> ask_ BELFRY_GUARDED_BY(mutex_);
  bool withdrawn_ BELFRY_GUARDED_BY(mutex_) = false;  // while the thread was looking
  std::deque<std::function<void()>> tasks_ BELFRY_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace belfry::server
