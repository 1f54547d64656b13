#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "deliver/desk.h"
#include "store/dispatch.h"

#include <functional>
#include <optional>
#include <string>

namespace belfry::server {

// A node's dispatcher as its own deliverers see it: they are workers like any other, and know
// nothing of the store.
class DispatchDesk final : public deliver::Desk {
 public:
  // `worker`: the name that stands in the history. `now`: the database's clock.
  DispatchDesk(store::Dispatch& dispatch, const Clock& clock, std::function<Instant()> now,
               std::string worker, Logger& log)
      : dispatch_(dispatch),
        clock_(clock),
        now_(std::move(now)),
        worker_(std::move(worker)),
        log_(log) {}

  Status ask(const std::string& queue, std::size_t most, Duration lease,
             OnDeliveries on_deliveries) override;
  bool cancel_ask() override;
  void report(const deliver::Grant& grant, deliver::Outcome outcome,
              std::function<void(bool)> on_told) override;
  void beat(std::vector<deliver::Grant> grants, Duration lease, OnBeat on_beat) override;
  void give_back(std::vector<deliver::Grant> grants, Duration wait) override;

 private:
  deliver::Delivery delivery_of(store::ClaimedRun run, Duration lease) const;

  store::Dispatch& dispatch_;
  const Clock& clock_;
  const std::function<Instant()> now_;
  const std::string worker_;
  Logger& log_;
  Mutex mutex_;
  std::optional<store::AskId> last_ask_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::server
