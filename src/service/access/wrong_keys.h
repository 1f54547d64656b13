#pragma once

#include "base/clock.h"
#include "base/log/log.h"
#include "base/metrics/metrics.h"
#include "base/mutex.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace belfry::service {

// Who tries keys that are none is heard of, and gets slower: each network (Caller::network) has ten
// tries, and one more every six seconds. Thread-safe.
class WrongKeys {
 public:
  WrongKeys(const Clock& clock, MetricRegistry& metrics, Logger& log)
      : clock_(clock),
        log_(log),
        tried_(metrics.counter("wrong_keys_total",
                               "Calls with a key that is unknown, revoked or expired.")) {}

  // How long a network has to wait before a key that nobody here knows is looked up for it; none:
  // it need not wait.
  std::optional<Duration> wait_of(const std::string& network);

  // An address there sent a key that is none.
  void note(const std::string& network, const std::string& address);

 private:
  struct Tries {
    double left = 0;
    BootInstant counted;
  };
  Tries& tries_of(const std::string& network) BELFRY_REQUIRES(mutex_);

  const Clock& clock_;
  Logger& log_;
  Counter& tried_;
  Mutex mutex_;
  std::unordered_map<std::string, Tries> tries_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
