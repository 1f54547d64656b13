#include "server/metrics/health_metrics.h"

#include <chrono>
#include <limits>

namespace belfry::server {

HealthMetrics::HealthMetrics(MetricRegistry& registry, service::Health& health)
    : health_(health),
      undecided_(registry.gauge(
          "oldest_undecided_seconds",
          "How late the oldest tick is that this node has not decided yet, or nobody.")),
      undelivered_(registry.gauge("alert_messages_undelivered",
                                  "Messages about alerts that their receivers have not taken.")),
      checked_through_(registry.gauge(
          "ledger_checked_through_seconds",
          "Up to when the ledger was proven, as a Unix time; NaN before that is known.")) {
  registry.callback_counter(
      "ledger_violations_total",
      "Holes, doubles, early ticks and the like that were found in the ledger, of all times.",
      [this] { return violations_.load(); });
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
  double undelivered = std::numeric_limits<double>::quiet_NaN();
  if (report.facts.cluster) {
    undelivered = 0;
    for (const auto& rule : report.facts.cluster->undelivered) {
      undelivered += static_cast<double>(rule.messages);
    }
  }
  undelivered_.set(undelivered);
  const bool is_checked = report.facts.cluster && report.facts.cluster->ledger.version > 0;
  const auto seconds_of = [](Instant at) {
    return std::chrono::duration<double>(at.since_origin()).count();
  };
  checked_through_.set(is_checked ? seconds_of(report.facts.cluster->ledger.checked_through)
                                  : kUnknown);
  if (is_checked) violations_ = static_cast<double>(report.facts.cluster->ledger.violations);
  const auto oldest = service::oldest_undecided(report.facts, false);
  const Duration late = oldest ? report.facts.now - *oldest : Duration(0);
  undecided_.set(std::chrono::duration<double>(late).count());
}

}  // namespace belfry::server
