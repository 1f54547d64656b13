#pragma once

#include "base/clock.h"
#include "base/metrics/metrics.h"
#include "store/wrappers/intercepted_store.h"

#include <memory>
#include <utility>

namespace belfry::store {

// How long the named transactions take, and how often they fail. One for all stores of a process.
struct StoreMetrics {
  explicit StoreMetrics(MetricRegistry& registry)
      : seconds(registry.histograms("store_seconds", "How long the store took, by transaction.",
                                    {"op"}, {0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10})),
        errors(registry.counters("store_errors_total",
                                 "Transactions the store failed, or whose reply was lost.",
                                 {"op"})) {}

  Family<Histogram>& seconds;
  Family<Counter>& errors;
};

// Measures each call. Waiting is not work, and what the store rightly refuses is not a failure.
class MeteredCalls {
 public:
  MeteredCalls(const Clock& clock, StoreMetrics& metrics) : clock_(clock), metrics_(metrics) {}

  template <typename Call>
  auto operator()(const Transaction& transaction, Call call) -> decltype(call()) {
    if (transaction.kind == Transaction::Kind::kWait) return call();
    const BootInstant begin = clock_.boot_now();
    auto result = call();
    // Looked up each time, which is cheap next to a transaction.
    metrics_.seconds.with({transaction.name}).observe(clock_.boot_now() - begin);
    Counter& errors = metrics_.errors.with({transaction.name});
    if (!result && is_failure(result.error().code)) errors.add();
    return result;
  }

 private:
  static bool is_failure(Errc code) {
    return code == Errc::kUnavailable || code == Errc::kUnknownOutcome || code == Errc::kInternal;
  }

  const Clock& clock_;
  StoreMetrics& metrics_;
};

// A store that is measured. Owns the one behind it; clock and metrics outlive it.
class MeteredStore final : public InterceptedStore<MeteredCalls> {
 public:
  MeteredStore(std::shared_ptr<Store> inner, const Clock& clock, StoreMetrics& metrics)
      : InterceptedStore(*inner, MeteredCalls(clock, metrics)), owned_(std::move(inner)) {}

 private:
  const std::shared_ptr<Store> owned_;
};

}  // namespace belfry::store
