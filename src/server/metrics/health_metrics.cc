#include "server/metrics/health_metrics.h"

#include <chrono>

namespace belfry::server {

HealthMetrics::HealthMetrics(MetricRegistry& registry, service::Health& health)
    : health_(health),
      undecided_(registry.gauge(
          "oldest_undecided_seconds",
          "How late the oldest tick is that this node has not decided yet, or nobody.")) {
  auto& family = registry.gauges("problems", "What is wrong, by code.", {"code"});
  for (const std::string_view code : service::kTroubleWords) {
    problems_.emplace_back(family.with({code}));
  }
  registry.on_scrape([this] { refresh(); });
}

void HealthMetrics::refresh() {
  const service::Health::Report report = health_.report();
  std::vector<double> counts(problems_.size());
  for (const service::Trouble& trouble : report.troubles) {
    counts.at(static_cast<std::size_t>(trouble.code)) += 1;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) problems_[i].get().set(counts[i]);
  const auto oldest = service::oldest_undecided(report.facts, false);
  const Duration late = oldest ? report.facts.now - *oldest : Duration(0);
  undecided_.set(std::chrono::duration<double>(late).count());
}

}  // namespace belfry::server
