#pragma once

#include "base/clock.h"
#include "base/log/log.h"
#include "base/mutex.h"
#include "deliver/run_source.h"
#include "engine/dispatch/dispatch.h"

#include <functional>
#include <optional>
#include <string>

namespace belfry::server {

// A node's dispatcher as its own couriers see it: they are workers like any other, and know nothing
// of the store.
class NodeRunSource final : public deliver::RunSource {
 public:
  // `worker`: the name shown in the history. `now`: the database's clock.
  struct Place {
    Incarnation node;
    RegionNo region;
    double trace_ratio = 1;
  };
  NodeRunSource(engine::Dispatch& dispatch, Place place, const Clock& clock,
                std::function<Instant()> now, std::string worker, Logger& log)
      : dispatch_(dispatch),
        place_(place),
        clock_(clock),
        now_(std::move(now)),
        worker_(std::move(worker)),
        log_(log) {}

  Status claim(const std::string& queue, std::size_t most, Duration lease,
               OnDeliveries on_deliveries) override;
  bool withdraw() override;
  void complete(const core::RunGrant& grant, deliver::Outcome outcome,
                std::function<void(bool)> on_told) override;
  void heartbeat(std::vector<core::RunGrant> grants, Duration lease,
                 OnHeartbeat on_heartbeat) override;
  void give_back(std::vector<core::RunGrant> grants, Duration wait) override;

 private:
  deliver::Delivery delivery_of(store::ClaimedRun run, Duration lease) const;

  engine::Dispatch& dispatch_;
  const Place place_;
  const Clock& clock_;
  const std::function<Instant()> now_;
  const std::string worker_;
  Logger& log_;
  Mutex mutex_;
  std::optional<engine::ClaimId> last_claim_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::server
