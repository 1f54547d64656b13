#pragma once

#include "base/clock.h"
#include "base/metrics/metrics.h"
#include "base/mutex.h"
#include "engine/node.h"
#include "store/store.h"

#include <optional>

namespace belfry::server {

// The state of a node, read at each scrape. All arguments must outlive the registry's use.
void add_node_metrics(MetricRegistry& registry, engine::Node& node, const Clock& clock);

// The live runs, as the store counts them: for the whole cluster, so every node says the same.
// Scrapes read the store at most every few seconds, however many there are; NaN while it does
// not answer.
class LiveRunMetrics {
 public:
  // Registers itself, and must outlive the registry's use.
  LiveRunMetrics(MetricRegistry& registry, store::OverviewStore& store, const engine::Node& node);
  LiveRunMetrics(const LiveRunMetrics&) = delete;
  LiveRunMetrics& operator=(const LiveRunMetrics&) = delete;

 private:
  void refresh();

  store::OverviewStore& store_;
  const engine::Node& node_;
  Family<Gauge>& states_;
  Gauge& ready_;
  Gauge& running_;
  Gauge& retrying_;
  Gauge& oldest_ready_;
  Mutex mutex_;
  std::optional<BootInstant> read_at_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::server
