#pragma once

#include "base/error.h"
#include "base/time.h"
#include "engine/dispatch/recent_workers.h"
#include "engine/ownership/lost_commits.h"
#include "engine/ticks/tick_watch.h"
#include "service/health/given_up.h"
#include "service/health/trouble.h"
#include "store/alerts.h"
#include "store/job_types.h"
#include "store/overview.h"
#include "store/proof.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace belfry::service {

// What a node knows of itself without asking anybody.
struct NodeFacts {
  std::string name;
  std::string waits_for;  // engine::Node::Standing::waits_for
  std::optional<Instant> first_undecided;
  std::optional<Duration> unheard_for;  // since the store last granted its lease; none: never yet
  Duration answer_time{};
  std::optional<Error> refusal;
  std::optional<Duration> clock_offset;  // this machine's clock minus the database's
  bool clock_stepped = false;
  std::optional<engine::LostCommits> lost_commits;  // the last time
  std::set<engine::RecentWorkers::Line> served;

  struct Broker {
    std::string name;
    std::optional<Duration> away_for;  // none: it is there
    std::string error;
  };
  std::vector<Broker> brokers;
  struct Endpoint {
    std::string host;
    TenantId tenant;
    Duration silent_for{};
  };
  std::vector<Endpoint> endpoints;
  struct Archive {
    Duration refused_for{};
    std::string error;
  };
  std::optional<Archive> archive;  // none: it takes what it is given, or there is none
};

// What the store says of the whole cluster.
struct ClusterFacts {
  store::Overview overview;
  engine::TickWatch::Report ticks;
  std::vector<store::QueueLoad> queues;
  std::vector<GivenUpRuns> given_up;  // lately
  std::vector<store::TypeLoad> types;
  std::vector<store::UndeliveredAlerts> undelivered;
  store::LedgerCheck ledger;
  std::vector<store::LedgerViolation> violations;  // of the last days, the newest first
};

struct HealthFacts {
  Instant now;  // the database's clock, as far as this node knows it
  NodeFacts node;
  std::optional<ClusterFacts> cluster;  // none: the store has not said yet
};

// The oldest tick that is due and undecided: this node's, and those that nobody decides.
// `with_others` counts also what other nodes, which are alive, are late with.
std::optional<Instant> oldest_undecided(const HealthFacts& facts, bool with_others);

// All that is wrong, the worst first. Pure.
std::vector<Trouble> find_troubles(const HealthFacts& facts);

// Why a type that has no room has none, in words: "type `mail` has at most 5 at a time".
std::string limit_of(const store::TypeLoad& load);
// And what to do about it.
std::string raise_limit(const store::TypeLoad& load);

// Who would have to take the runs of a queue, in words: "a worker of type `mail`"; where there are
// several regions: "a worker of type `mail` in region `eu`".
std::string taker_of(std::string_view queue, std::string_view region = {});

// Why runs of a tenant's queue that are for workers of this region, or of any, are not taken, as
// far as the troubles tell.
std::optional<Trouble> trouble_of_queue(const std::vector<Trouble>& troubles,
                                        std::string_view queue, TenantId tenant,
                                        std::optional<RegionNo> region = {});

}  // namespace belfry::service
