#include "server/metrics/node_metrics.h"

#include "core/spelling.h"

#include <algorithm>
#include <chrono>

namespace belfry::server {
namespace {

constexpr Duration kFresh = std::chrono::seconds(5);

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

double waiting_since(std::optional<Instant> since, std::optional<Instant> now) {
  if (!since || !now) return 0;
  return std::max(0.0, seconds(*now - *since));
}

}  // namespace

void add_node_metrics(MetricRegistry& registry, engine::Node& node, const Clock& clock) {
  const auto standing = [&](std::string_view name, std::string_view help, auto read) {
    registry.callback_gauge(name, help,
                            [&node, read] { return static_cast<double>(read(node.standing())); });
  };
  using Standing = engine::Node::Standing;
  standing("partitions_owned", "Partitions this node decides for.",
           [](const Standing& at) { return at.partitions; });
  standing("lease_remaining_seconds", "How long this node may still act without a renewal.",
           [](const Standing& at) { return seconds(at.lease_left); });
  standing("timetable_jobs", "Jobs in this node's timetable.",
           [](const Standing& at) { return at.jobs; });
  standing("timetable_schedules", "Distinct schedules of these jobs.",
           [](const Standing& at) { return at.schedules; });
  registry.callback_gauge("clock_offset_seconds", "This machine's clock minus the database's.",
                          [&node, &clock] {
                            const auto now = node.now();
                            return now ? seconds(clock.wall_now() - *now) : kUnknown;
                          });
  registry.callback_gauge("workers", "Workers that asked this node for runs in the last 2 minutes.",
                          [&node] { return static_cast<double>(node.dispatcher().workers()); });
}

LiveRunMetrics::LiveRunMetrics(MetricRegistry& registry, store::OverviewStore& store,
                               const engine::Node& node)
    : store_(store),
      node_(node),
      states_(registry.gauges("live_runs", "Runs that are not over, by state.", {"state"})),
      ready_(states_.with({core::word_for(core::RunState::kReady, core::kRunStates)})),
      running_(states_.with({core::word_for(core::RunState::kRunning, core::kRunStates)})),
      retrying_(states_.with({core::word_for(core::RunState::kRetrying, core::kRunStates)})),
      oldest_ready_(registry.gauge("oldest_ready_seconds",
                                   "How long the oldest run has waited for its first worker.")) {
  registry.on_scrape([this] { refresh(); });
}

void LiveRunMetrics::refresh() {
  const MutexLock lock(mutex_);  // a second caller waits, and finds it done
  const BootInstant now = node_.boot_now();
  if (read_at_ && now < *read_at_ + kFresh) return;
  const auto live = store_.live_runs();
  read_at_ = now;
  ready_.set(live ? static_cast<double>(live->ready.value) : kUnknown);
  running_.set(live ? static_cast<double>(live->running.value) : kUnknown);
  retrying_.set(live ? static_cast<double>(live->retrying.value) : kUnknown);
  oldest_ready_.set(live ? waiting_since(live->oldest_ready, node_.now()) : kUnknown);
}

}  // namespace belfry::server
