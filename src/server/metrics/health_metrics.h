#pragma once

#include "base/metrics/metrics.h"
#include "service/health/health.h"

#include <atomic>
#include <functional>
#include <vector>

namespace belfry::server {

// What is wrong, as metrics: the same report that /readyz and /cluster show, read at each scrape.
class HealthMetrics {
 public:
  // Registers itself, and must outlive the registry's use.
  HealthMetrics(MetricRegistry& registry, service::Health& health);
  HealthMetrics(const HealthMetrics&) = delete;
  HealthMetrics& operator=(const HealthMetrics&) = delete;

 private:
  void refresh();

  service::Health& health_;
  Gauge& undecided_;
  Gauge& undelivered_;
  Gauge& checked_through_;
  std::atomic<double> violations_ = 0;
  std::vector<std::reference_wrapper<Gauge>> problems_;  // by code
};

}  // namespace belfry::server
