#include "service/health/health.h"

#include <algorithm>
#include <chrono>

namespace belfry::service {
namespace {

constexpr Duration kFresh = std::chrono::seconds(2);
constexpr Duration kReading = std::chrono::milliseconds(300);
constexpr Duration kViolationsStand = std::chrono::days(7);
constexpr std::size_t kMostTold = 100;

}  // namespace

const Trouble* Health::Report::unready() const {
  const auto found = std::ranges::find_if(
      troubles, [](const Trouble& trouble) { return is_unready(trouble.code); });
  return found == troubles.end() ? nullptr : &*found;
}

Health::Report Health::report() {
  Report report;
  report.facts.node = world_.node();
  refresh(report.facts.node);
  report.facts.now = world_.now();
  {
    const MutexLock lock(mutex_);
    report.facts.cluster = cluster_;
  }
  report.troubles = find_troubles(report.facts);
  return report;
}

// One caller reads; others have what was read before. What the store said last stays while it is
// away: nothing of it gets better meanwhile.
void Health::refresh(const NodeFacts& node) {
  if (node.refusal || !node.unheard_for) return;
  {
    const MutexLock lock(mutex_);
    const BootInstant now = world_.clock.boot_now();
    if (refreshing_ || (read_at_ && now < *read_at_ + kFresh)) return;
    refreshing_ = true;
  }
  auto cluster = read();
  const MutexLock lock(mutex_);
  refreshing_ = false;
  read_at_ = world_.clock.boot_now();
  if (cluster) cluster_ = *std::move(cluster);
}

Result<ClusterFacts> Health::read() {
  ClusterFacts facts;
  BELFRY_TRY(overview, world_.store.overview());
  BELFRY_TRY(ticks, watch_.look(overview, world_.self, kReading));
  BELFRY_TRY(queues, world_.store.queue_loads());
  BELFRY_TRY(given_up, given_up_.look(overview.now));
  BELFRY_TRY(types, world_.store.type_loads());
  BELFRY_TRY(undelivered, world_.store.undelivered_alerts());
  BELFRY_TRY(ledger, world_.store.ledger_check());
  BELFRY_TRY(violations,
             world_.store.ledger_violations({}, overview.now - kViolationsStand, kMostTold));
  facts.overview = std::move(overview);
  facts.ticks = ticks;
  facts.queues = std::move(queues);
  facts.given_up = std::move(given_up);
  facts.types = std::move(types);
  facts.undelivered = std::move(undelivered);
  facts.ledger = std::move(ledger);
  facts.violations = std::move(violations);
  return facts;
}

}  // namespace belfry::service
