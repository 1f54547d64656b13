#pragma once

#include "base/clock.h"
#include "engine/dispatch/claims.h"
#include "engine/dispatch/completions.h"
#include "engine/dispatch/recent_workers.h"

namespace belfry::engine {

struct DispatcherConfig {
  ClaimsConfig claims;
  CompletionsConfig completions;
};

// What a node does for workers: the two duties behind dispatch.h, and what one has to tell the
// other. An ended run may make room for the next one of its job or tenant; a failed one comes back.
class Dispatcher final : public Dispatch {
 public:
  // What a dispatcher works with; all of it must outlive the dispatcher.
  struct World {
    store::RunStore& store;
    LiveRuns& live;
    const Clock& clock;
    Observer& observer;
  };

  Dispatcher(const World& world, Rng rng, const DispatcherConfig& config)
      : clock_(world.clock),
        claims_(world.store, world.live, world.observer, config.claims),
        completions_(world.store, world.live, world.observer, std::move(rng), config.completions) {}

  Result<ClaimId> claim(Claim claim, OnRuns on_runs) override {
    workers_.saw({.name = claim.worker,
                  .tenant = claim.tenant,
                  .region = claim.region,
                  .queues = claim.job_types,
                  .room = claim.max_runs,
                  .asked_at = clock_.boot_now()});
    return claims_.claim(std::move(claim), std::move(on_runs));
  }
  bool withdraw(ClaimId claim) override { return claims_.withdraw(claim); }
  void complete(std::vector<Completion> completions, OnCompleted on_completed) override {
    completions_.complete(std::move(completions), std::move(on_completed));
  }
  void heartbeat(std::vector<store::RunGrant> grants, Duration lease,
                 OnHeartbeat on_heartbeat) override {
    completions_.heartbeat(std::move(grants), lease, std::move(on_heartbeat));
  }
  void give_back(std::vector<store::RunGrant> grants, Duration wait) override {
    completions_.give_back(std::move(grants), wait);
  }
  void wake() override { claims_.wake(); }
  // Another node has decided runs.
  void wake_for_elsewhere() { claims_.wake_for_elsewhere(); }

  // A round of each duty; each has a thread of its own.
  Result<Claims::Report> claim() { return claims_.run_once(clock_.boot_now()); }
  Result<Completions::Report> end_attempts();

  // How many workers have asked here lately. From any thread.
  std::size_t workers() { return workers_.count(clock_.boot_now()); }
  // For which queues.
  std::set<RecentWorkers::Line> served() { return workers_.lines(clock_.boot_now()); }
  // Those among them who take a tenant's runs; at most so many.
  std::vector<RecentWorkers::Worker> workers_of(TenantId tenant, std::size_t most) {
    return workers_.of(tenant, most, clock_.boot_now());
  }

  Claims& claims() { return claims_; }
  Completions& completions() { return completions_; }

  // Writes what was reported, as far as possible, and sends everybody away.
  void close();

 private:
  const Clock& clock_;
  RecentWorkers workers_;
  Claims claims_;
  Completions completions_;
};

}  // namespace belfry::engine
